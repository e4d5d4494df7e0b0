import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Stage } from "../attack.ts";
import { createVisitor, type Visit } from "../crowded/resident.ts";
import { type Crowd, gather, settle } from "../crowded/town.ts";
import { send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

const METRICS_TOKEN = "of-the-crowded-house";
/** Of the time in which both are active, at most that for both together: half for the crowd, and what the other asks for. */
const MOST_CHARGED = 0.85;
/** What four of the largest messages owe when they come, in milliseconds; it is worked off later. */
const OWED_MS = 4_000;
/** Until all of the crowd is under way. */
const SETTLE_MS = 1_000;

export const crowdedHouse: Attack = {
  item: 32,
  name: "one organization asks for everything at once",
  bound:
    "Another organization that asks for little is never refused and is answered all the time; the crowd waits for its turns and has no more than its share of the event loop meanwhile.",
  async run(stage) {
    const env = { RATE_LIMIT_FACTOR: "0", METRICS_TOKEN };
    const server = await stage.server({ env });
    const crowded = await settle(server.port, "crowd", 8);
    const visitor = createVisitor(await settle(server.port, "quiet", 1));
    const rounds = stage.isShort ? 15 : 100;
    const crowd = await gather(crowded, { processes: 2 });
    try {
      await visitor.visit((round) => round >= 20, 0);
      const visits: { quiet: Visit[]; crowded: Visit[] } = { quiet: [], crowded: [] };
      for (let half = 0; half < 2; half++) {
        visits.quiet.push(await visitor.visit((round) => round >= rounds, 5));
        await crowd.resume();
        await sleep(SETTLE_MS);
        visits.crowded.push(await watch(stage, server, () => visitor.visit((round) => round >= rounds, 5)));
        await crowd.pause();
      }
      await judge(stage, crowd, visits);
    } finally {
      await crowd.stop();
      visitor.close();
    }
  },
};

/** What the crowd waits for and is charged with while the other one is there, too. */
async function watch(stage: Stage, server: RunningServer, work: () => Promise<Visit>): Promise<Visit> {
  const [began, before] = [performance.now(), await readTurns(server)];
  const { result, figure } = await stage.measure(server, "a crowd and a visitor", work);
  const [ms, after] = [performance.now() - began, await readTurns(server)];
  const more = (what: string) => (after.get(what) ?? 0) - (before.get(what) ?? 0);
  const charged = more("shared_milliseconds");
  stage.check(more("waits") > 0, "nothing of the crowd waited for its turn");
  stage.check(
    charged <= MOST_CHARGED * ms + OWED_MS,
    `${Math.round(charged)} ms of the event loop were charged in ${Math.round(ms)} ms`,
  );
  stage.report(
    "a crowd of everything, and one visitor",
    `${more("waits")} waits, ${Math.round((100 * charged) / ms)} % of the time charged`,
    figure,
  );
  return result;
}

async function readTurns({ port }: RunningServer): Promise<Map<string, number>> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const { body } = await send(port, { path: "/metrics", headers });
  const lines = body.toString().matchAll(/turns_total\{what="(\w+)"\} (\S+)/g);
  return new Map([...lines].map(([, what, value]) => [what!, Number(value)]));
}

async function judge(
  stage: Stage,
  crowd: Crowd,
  visits: { quiet: Visit[]; crowded: Visit[] },
): Promise<void> {
  const refused = [...visits.quiet, ...visits.crowded].flatMap((visit) => visit.refused);
  stage.check(refused.length === 0, `the visitor was refused: ${refused.slice(0, 5).join("; ")}`);
  const counts = await crowd.count();
  for (const [kind, statuses] of Object.entries(counts)) {
    const failed = Object.keys(statuses).filter((status) => /^5(?!03)|^grpc (?:2|13)$/.test(status));
    stage.check(failed.length === 0, `${kind} of the crowd: ${JSON.stringify(statuses)}`);
  }
  for (const kind of Object.keys(visits.quiet[0]?.times ?? {})) {
    const middle = (of: Visit[]) => median(of.flatMap(({ times }) => times[kind] ?? []));
    stage.report(
      `${kind}, beside the crowd`,
      `${(middle(visits.crowded) / middle(visits.quiet)).toFixed(1)} × quiet`,
    );
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
