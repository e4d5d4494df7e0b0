/** `builds list`, `builds logs`, `builds cancel`. */
import { timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Build, BuildSchema } from "../client.ts";
import { CliError } from "../errors.ts";
import { openProject } from "../find-project.ts";
import { messageRecord, printList } from "../output.ts";
import { type Invocation, openSession, type Session } from "../session.ts";
import { cleanText } from "../text.ts";
import { parseCount } from "../units.ts";

const PAGE_SIZE = 100;
const MOST_BUILDS = 100_000;
/** A broken log is requested again from its last line. This many breaks without a new line end it. */
const MOST_BREAKS = 5;

export async function listBuilds(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  const limit = parseCount(flags.text("--limit") ?? "20", "--limit", MOST_BUILDS);
  const { projectId, api } = await openProject(call);
  const states = flags.texts("--state");
  const builds: Build[] = [];
  let pageToken = "";
  do {
    const pageSize = Math.min(PAGE_SIZE, limit - builds.length);
    const page = await api.builds.listBuilds({ projectId, states, pageSize, pageToken });
    builds.push(...page.builds.slice(0, pageSize));
    pageToken = page.builds.length === 0 ? "" : page.nextPageToken;
  } while (pageToken !== "" && builds.length < limit);
  printList(terminal, builds, {
    format: flags.text("--output"),
    columns: [
      { heading: "ID", text: ({ id }) => id },
      { heading: "STATE", text: ({ state }) => state },
      { heading: "CACHED", text: formatCached },
      { heading: "STARTED", text: formatStart },
      { heading: "TOOK", text: formatTook },
    ],
    record(build) {
      // The list does not include steps.
      const { steps: _, ...record } = messageRecord(BuildSchema, build);
      return record;
    },
  });
}

export const formatCached = ({ stepsCached, stepsTotal }: Build): string =>
  stepsTotal === 0 ? "-" : `${stepsCached}/${stepsTotal}`;

/** `2026-11-21 10:02`, in UTC as in the API. */
export function formatStart({ startedAt, createdAt }: Build): string {
  const time = startedAt ?? createdAt;
  return time ? timestampDate(time).toISOString().slice(0, 16).replace("T", " ") : "-";
}

export function formatTook({ startedAt, finishedAt }: Build): string {
  return startedAt && finishedAt ? formatTime(timestampMs(finishedAt) - timestampMs(startedAt)) : "-";
}

/** `0.4s`, `12s`, `3m 20s` */
export function formatTime(ms: number): string {
  if (ms < 9950) return `${Number((Math.max(0, ms) / 1000).toFixed(1))}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)}m ${seconds % 60}s`
    : `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}

export async function cancelBuild(call: Invocation): Promise<void> {
  const [buildId = ""] = call.positionals;
  const { api } = await openSession(call);
  const { build } = await api.builds.cancelBuild({ buildId });
  call.terminal.out(`${buildId} ${cleanText(build?.state ?? "canceled")}\n`);
}

export async function printLog(call: Invocation): Promise<void> {
  const [buildId = ""] = call.positionals;
  const session = await openSession(call);
  const last = call.flags.isSet("--no-follow") ? await findLastLine(session, buildId) : undefined;
  if (last === 0n) return;
  let after = 0n;
  for (let breaks = 0; ; breaks++) {
    try {
      for await (const line of session.api.builds.streamLogs({ buildId, after })) {
        // The server's keep-alive lines repeat the number of the line before.
        if (line.sequence <= after) continue;
        after = line.sequence;
        breaks = 0;
        call.terminal.out(`${line.step === "" ? "" : `${cleanText(line.step)} `}${cleanLine(line.text)}\n`);
        if (last !== undefined && after >= last) return;
      }
      return;
    } catch (error) {
      if (!isBreak(error) || breaks >= MOST_BREAKS) throw error;
    }
  }
}

/** 0n for an empty log; undefined for a build that has ended, whose log is complete. */
async function findLastLine({ api }: Session, buildId: string): Promise<bigint | undefined> {
  const { build } = await api.builds.getBuild({ buildId });
  if (!build) throw new CliError("the server sent no build");
  return /^(?:queued|running)$/.test(build.state) ? build.logLines : undefined;
}

/** Whether the connection broke or the server is being replaced. Refusals do not count. */
function isBreak(error: unknown): boolean {
  if (error instanceof CliError) return true;
  if (!(error instanceof ConnectError)) return false;
  return [Code.Unavailable, Code.Unknown, Code.Aborted, Code.DeadlineExceeded, Code.InvalidArgument].includes(
    error.code,
  )
    ? !(error.code === Code.InvalidArgument && !/missing|end|protocol/i.test(error.rawMessage))
    : false;
}

const cleanLine = (text: string): string => cleanText(text.replace(/\t/g, "    "));
