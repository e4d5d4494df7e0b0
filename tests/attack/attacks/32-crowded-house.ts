import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { MOST_OWED_MS } from "#platform/fair/limits.ts";
import type { Attack, Stage } from "../attack.ts";
import { createVisitor, type Visit } from "../crowded/resident.ts";
import { type Crowd, gather, settle } from "../crowded/town.ts";
import { BEHIND_PROXY } from "../endpoints.ts";
import { send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

const METRICS_TOKEN = "of-the-crowded-house";
/** The most of their common time that both may be charged with: half for the crowd, plus what the visitor asks for. */
const MOST_CHARGED = 0.75;
/**
 * CPU time of the event loop at a stretch, in milliseconds. It is about 20; on a busy machine a stretch is several
 * pieces, and a collection of garbage comes on top. Work in pieces has tests of its own (`in-turns`, `count-fields`).
 */
const MOST_STRETCH_MS = 200;
/** CPU time still owed when the round ends, in milliseconds; it is worked off later. */
const OWED_MS = MOST_OWED_MS;
/** Milliseconds of a round, in the short form and otherwise: a server where no one waits breaks the bound in each. */
const SHORT_MS = 8_000;
const LONG_MS = 20_000;
/** Each is a quiet part and a crowded one. */
const ROUNDS = { short: 1, usual: 2 };
/** More than can be rendered in the time that one request may wait. */
const PAGES_AT_ONCE = 600;
/** One is rendered for each query. */
const page = (at: number): Sent => ({ path: `/docs?q=cache+${at}`, headers: { accept: "text/html" } });
const SIGN_IN: readonly Sent[] = [
  { path: "/app/sign-in", headers: { accept: "text/html" } },
  { path: "/auth/state" },
  {
    method: "POST",
    path: "/oauth/device_authorization",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "client_id=millrace-cli&client_name=laptop",
  },
];
/** Until all of the crowd is under way. */
const SETTLE_MS = 1_000;

export const crowdedHouse: Attack = {
  item: 32,
  name: "one organization asks for everything at once",
  bound:
    "Another organization that asks for little is never refused and is answered all the time; the crowd waits for its turns and has no more than its share of the event loop meanwhile. Strangers who sign in, and readers from other networks, are never refused either, whatever else strangers ask for.",
  async run(stage) {
    const env = { ...BEHIND_PROXY, RATE_LIMIT_FACTOR: "0", METRICS_TOKEN };
    const server = await stage.server({ env });
    const crowded = await settle(server.port, "crowd", 8);
    const visitor = createVisitor(await settle(server.port, "quiet", 1));
    const times = stage.isShort ? 15 : 100;
    const crowd = await gather(crowded, { processes: 2 });
    try {
      await visitor.visit((time) => time >= 20, 0);
      const visits: { quiet: Visit[]; crowded: Visit[] } = { quiet: [], crowded: [] };
      for (let round = 0; round < (stage.isShort ? ROUNDS.short : ROUNDS.usual); round++) {
        visits.quiet.push(await visitor.visit((time) => time >= times, 5));
        await crowd.resume();
        await sleep(SETTLE_MS);
        visits.crowded.push(await watch(stage, server, visitor.visit));
        await crowd.pause();
      }
      await crowd.resume();
      await besidePages(stage, server);
      await crowd.pause();
      await judge(stage, crowd, visits);
    } finally {
      await crowd.stop();
      visitor.close();
    }
  },
};

/** How much the crowd waits and is charged while the visitor is also active. */
async function watch(
  stage: Stage,
  server: RunningServer,
  visit: (isOver: () => boolean, pauseMs: number) => Promise<Visit>,
): Promise<Visit> {
  const [began, before] = [performance.now(), await readTurns(server)];
  const isOver = () => performance.now() - began >= (stage.isShort ? SHORT_MS : LONG_MS);
  const { result, figure } = await stage.measure(server, "a crowd and a visitor", () => visit(isOver, 5));
  const [ms, after] = [performance.now() - began, await readTurns(server)];
  const more = (what: string) => (after.get(what) ?? 0) - (before.get(what) ?? 0);
  const charged = more("shared_milliseconds");
  stage.check(more("waits") > 0, "nothing of the crowd waited for its turn");
  stage.check(
    charged <= MOST_CHARGED * ms + OWED_MS,
    `${Math.round(charged)} ms of the event loop were charged in ${Math.round(ms)} ms`,
  );
  const stretch = figure.blockCpuMs ?? 0;
  stage.check(
    stretch <= MOST_STRETCH_MS,
    `the event loop was kept for ${Math.round(stretch)} ms of CPU time beside the crowd`,
  );
  stage.report(
    "a crowd of everything, and one visitor",
    `${more("waits")} waits, ${Math.round((100 * charged) / ms)} % of the time charged`,
    figure,
  );
  return result;
}

/** Pages for strangers in a hundred networks, and newcomers from other networks who sign in or read a page. */
async function besidePages(stage: Stage, server: RunningServer): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const ask = async (sent: Sent, as: string) => {
    const headers = { ...sent.headers, "x-forwarded-for": as };
    return (await send(server.port, { ...sent, agent, headers })).status;
  };
  const over = new AbortController();
  const answers: number[] = [];
  const readers = Array.from({ length: PAGES_AT_ONCE }, async (_, at) => {
    while (!over.signal.aborted) answers.push(await ask(page(answers.length), `203.0.${at % 100}.1`));
  });
  await sleep(SETTLE_MS);
  const rounds = stage.isShort ? 8 : 40;
  const { figure } = await stage.measure(server, "a crowd of strangers", async () => {
    for (let round = 0; round < rounds; round++)
      for (const sent of [...SIGN_IN, page(-round)]) {
        const status = await ask(sent, `198.51.${round}.1`);
        stage.check(status === 200, `beside a crowd of strangers, ${sent.path} got ${status}`);
      }
  });
  over.abort();
  await Promise.all(readers);
  agent.destroy();
  const failed = answers.filter((status) => status !== 200 && status !== 429);
  stage.check(failed.length === 0, `pages beside a crowd: ${failed.slice(0, 5).join()}`);
  const told = `${rounds} sign-ins from elsewhere, ${answers.length} pages meanwhile`;
  stage.report("pages for strangers in 100 networks, beside the crowd", told, figure);
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
