import type { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import type { RecordingReport, RecordingRow } from "./report-types.ts";
import { all, type Range } from "./range.ts";
import { readSessionEvents } from "./searches.ts";

const LIST_LENGTH = 200;
/** For one recording, inflated; a longer recording is shown up to here. */
const MAX_REPLAY_BYTES = 60_000_000;

const COLUMNS = `
  sessionId, min(startedAt) AS startedAt, max(endedAt) AS endedAt, sum(length(events)) AS bytes,
  json_group_array(DISTINCT path) FILTER (WHERE path IS NOT NULL) AS paths`;

type Recording = Omit<RecordingRow, "paths" | "searches" | "errors"> & { paths: string };

/** Newest first; a recording belongs to the range in which it began. */
export function readRecordings(db: DatabaseSync, { from, to }: Range): RecordingRow[] {
  const recordings = all<Recording>(
    db,
    `SELECT ${COLUMNS} FROM snapshots WHERE sessionId IN (
       SELECT DISTINCT sessionId FROM snapshots WHERE at >= ?1 AND at < ?2
     ) GROUP BY sessionId HAVING startedAt >= ?1 AND startedAt < ?2 ORDER BY startedAt DESC LIMIT ${LIST_LENGTH}`,
    from,
    to,
  );
  return recordings.map((recording) => withCounts(db, recording));
}

export function readRecording(
  db: DatabaseSync,
  { sessionId }: { sessionId: string },
): RecordingReport | null {
  const recording = all<Recording>(
    db,
    `SELECT ${COLUMNS} FROM snapshots WHERE sessionId = ? GROUP BY sessionId`,
    sessionId,
  )[0];
  if (!recording) return null;
  const events: { timestamp: number }[] = [];
  let bytes = 0;
  const parts = db.prepare("SELECT events FROM snapshots WHERE sessionId = ? ORDER BY startedAt, id");
  for (const { events: part } of parts.iterate(sessionId)) {
    const json = gunzipSync(part as Uint8Array); // the column is a BLOB
    bytes += json.byteLength;
    if (bytes > MAX_REPLAY_BYTES) break;
    events.push(...(JSON.parse(json.toString()) as { timestamp: number }[]));
  }
  events.sort((one, other) => one.timestamp - other.timestamp);
  const timeline = readSessionEvents(db, sessionId).map(({ at, name, path, properties }) => ({
    at,
    name,
    detail: detailOf(properties) ?? path ?? "",
  }));
  return { ...withCounts(db, recording), events, timeline };
}

function withCounts(db: DatabaseSync, recording: Recording): RecordingRow {
  const counts = db
    .prepare(
      `SELECT sum(name = 'search') AS searches, sum(name IN ('$exception', 'error')) AS errors
       FROM events WHERE sessionId = ?`,
    )
    .get(recording.sessionId);
  return {
    ...recording,
    paths: JSON.parse(recording.paths) as string[],
    searches: Number(counts?.["searches"] ?? 0),
    errors: Number(counts?.["errors"] ?? 0),
  };
}

/** An event's subject, in a word: the query, the label. */
function detailOf(properties: string): string | null {
  const values = JSON.parse(properties) as { [name: string]: unknown };
  const value =
    values["query"] ?? values["label"] ?? values["text"] ?? values["$survey_response"] ?? values["answer"];
  return typeof value === "string" ? value.slice(0, 200) : null;
}
