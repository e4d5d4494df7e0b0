import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Attack, Stage } from "../attack.ts";
import { addDocuments, countDocuments, finish, numbered, read, type Task } from "../documents.ts";
import { runKills } from "../kills.ts";
import { inParallel, json, send } from "../requests.ts";

const BATCHES = 20;
const DOCUMENTS = 10;
const EVENTS = 100;

export const acknowledged: Attack = {
  item: 9,
  name: "a kill after the answer",
  bound:
    "What was answered 202 is done after a restart, what was answered 200 is in the database, and task numbers continue.",
  async run(stage) {
    await killAfterAnswers(stage);
    if (stage.isShort) return;
    await runKills(stage, "index-writes");
    await runKills(stage, "telemetry");
    await runKills(stage, "accounts");
    await runKills(stage, "cache");
    await runKills(stage, "registry");
  },
};

async function killAfterAnswers(stage: Stage): Promise<void> {
  const dataDir = stage.dataDir();
  const first = await stage.server({ dataDir });
  const writes = await inParallel(BATCHES, 4, (at) =>
    addDocuments(first, `batch-${at % 3}`, numbered(DOCUMENTS, "x", at * DOCUMENTS)),
  );
  const answers = await inParallel(EVENTS, 8, (at) =>
    send(first.port, json("/ingest/e/", { event: "killed", distinct_id: `a${at}`, properties: {} })),
  );
  await first.kill();

  const tasks = writes
    .filter(({ status }) => status === 202)
    .map((answer) => read<Task>(answer).taskUid ?? -1);
  const events = answers.filter(({ status }) => status === 200).length;
  const stored = storedEvents(join(dataDir, "telemetry.sqlite"));
  stage.check(events > 0, "no event was accepted");
  stage.check(
    stored >= events,
    `${events - stored} of ${events} events answered 200 are not in the database`,
  );

  const second = await stage.server({ dataDir });
  const outcomes = await inParallel(tasks.length, 4, (at) => finish(second, tasks[at]));
  const done = outcomes.filter((task) => task?.status === "succeeded").length;
  stage.check(
    done === tasks.length,
    `${tasks.length - done} of ${tasks.length} acknowledged tasks were not done`,
  );
  const counts = await inParallel(3, 1, (at) => countDocuments(second, `batch-${at}`));
  const found = counts.reduce((sum: number, count) => sum + (count ?? 0), 0);
  stage.check(
    found === tasks.length * DOCUMENTS,
    `${found} of ${tasks.length * DOCUMENTS} acknowledged documents are there`,
  );
  const next = read<Task>(await addDocuments(second, "batch-0", numbered(1, "next"))).taskUid ?? -1;
  stage.check(next > Math.max(...tasks), `task numbers begin again: ${next} after ${Math.max(...tasks)}`);
  stage.report(
    "a kill right after the answers",
    `documents ${found}/${tasks.length * DOCUMENTS}, events ${stored}/${events}`,
  );
}

function storedEvents(file: string): number {
  const database = new DatabaseSync(file);
  try {
    const row = database.prepare("SELECT count(*) AS count FROM events WHERE name = 'killed'").get();
    return Number(row?.["count"] ?? 0);
  } catch {
    // Its tables did not exist yet.
    return 0;
  } finally {
    database.close();
  }
}
