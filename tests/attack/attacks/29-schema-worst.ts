/**
 * The worst 4 MB for every endpoint, made from the contracts and the routes themselves: a new method or route is attacked
 * without being named. Four are sent simultaneously; when they keep the server busy, each of them is sent again alone,
 * once the server rests, so that the figures are those of one request. Every method and every route comes first,
 * however long that takes.
 */
import type { Attack, Figure, Measured, Stage } from "../attack.ts";
import { MEMORY_BYTES } from "../bounds.ts";
import { readSite } from "../fuzz/routes.ts";
import { makeRepository } from "../registry-client.ts";
import { type Answer, json, type Sent, send } from "../requests.ts";
import { askBuilder, CONTROL, openBuilders, openClient } from "../builders-client.ts";
import { ADMIN_KEY, newDataDir, type RunningServer, startServer } from "../server-process.ts";
import { asOwner } from "../sign-in.ts";
import { type Caller, openCallers, refusedCallers, signInAgain, SIGN_OUT } from "../worst/callers.ts";
import { carry, type Outcome, type Server } from "../worst/carry.ts";
import { readContract } from "../worst/contract.ts";
import { type Cell, cellsOf, unknownEndpoints, WRITTEN_INDEX } from "../worst/endpoints.ts";
import { drawRequest, placesOf, type WorstRequest } from "../worst/draw.ts";
import { untilAtRest } from "../worst/rest.ts";
import { MOST_MS, stretchTooLong } from "../worst/stretch.ts";

const SHORT_SECONDS = 20;
const AT_ONCE = 4;
/** CPU time in one stretch, or memory above idle: from here on the four are sent alone. */
const BUSY_MS = 25;
const BUSY_BYTES = 150 * 1024 * 1024;
/** The most failures that are reported: more would add nothing. */
const TOLD = 10;
const TOLD_ENDPOINTS = 15;

/** Per-client limits would hide problems behind them. */
const env = { RATE_LIMIT_FACTOR: "0" };

interface Plan extends Server {
  server: RunningServer;
  /** Endpoints that are not attacked. */
  unknown: readonly string[];
  cells: readonly Cell[];
  callers: readonly Caller[];
  seed: number;
}

/** The worst that was found at one endpoint. */
interface Worst extends Figure {
  cpuMs: number;
}

export interface WorstOptions {
  seconds: number;
  /** Builders must be downloaded and built first. */
  hasBuilders: boolean;
}

export function schemaWorst({ seconds, hasBuilders }: WorstOptions): Attack {
  return {
    item: 29,
    name: "the worst 4 MB of every message, at every endpoint",
    bound:
      "No request keeps the event loop for more than 50 ms of CPU time four times in a row, or for 300 ms once, or holds 300 MiB above idle; no 5xx, no hang, and a server that keeps running.",
    run: (stage) => attackEndpoints(stage, { seconds: stage.isShort ? SHORT_SECONDS : seconds, hasBuilders }),
  };
}

async function attackEndpoints(stage: Stage, { seconds, hasBuilders }: WorstOptions): Promise<void> {
  const plan = await makePlan(stage, hasBuilders);
  if (hasBuilders && !plan.builder)
    stage.notTried("calls of a builder", "there is no BuildKit here", "download");
  stage.check(
    plan.unknown.length === 0,
    `nothing attacks ${plan.unknown.join(", ")}: see worst/endpoints.ts`,
  );
  const worst = new Map<string, Worst>();
  const end = performance.now() + seconds * 1000;
  const missed = placesOf(plan.cells);
  const places = missed.size;
  let [sent, problems] = [0, 0];
  const isOver = () => performance.now() > end && (missed.size === 0 || sent >= plan.cells.length);
  while (!isOver() && problems < TOLD) {
    problems += await strikeFour(stage, plan, { first: sent, worst, missed });
    sent += AT_ONCE;
  }
  stage.check(
    missed.size === 0,
    `${missed.size} methods and routes got nothing: ${[...missed].slice(0, TOLD).join(", ")}`,
  );
  const refused = await refusedCallers(plan.server, plan.callers);
  stage.check(refused.length === 0, `after it ${refused.join(", ")} may do nothing more`);
  await isStillServing(stage, plan);
  const reached = Math.min(sent, plan.cells.length);
  stage.report(
    `${sent} of the worst requests, to ${places - missed.size} of ${places} methods and routes, ${reached} of ${plan.cells.length} addresses and forms, seed ${stage.seed}`,
    `${problems} problems${plan.builder ? "" : ", without builders"}`,
  );
  const endpoints = [...worst.values()].sort((a, b) => b.cpuMs - a.cpuMs);
  for (const { name, outcome, ...figure } of stage.isShort ? endpoints.slice(0, TOLD_ENDPOINTS) : endpoints)
    stage.report(name, outcome, figure);
}

async function makePlan(
  stage: Pick<Stage, "server" | "dataDir" | "seed">,
  hasBuilders: boolean,
): Promise<Plan> {
  const { server, builders } = await openBuilders(stage, env, hasBuilders);
  const endpoint = await builders.begin("worst-build");
  const { base: repository } = await makeRepository(server, "worst");
  const ask = async (sent: Sent) => JSON.parse((await send(server.port, sent)).body.toString()) as unknown;
  const { projects } = (await ask(
    json("/api/millrace.v1.ProjectService/List", {}, { headers: asOwner }),
  )) as { projects: { id: string; name: string }[] };
  const project = projects.find(({ name }) => name === "worst")!.id;
  await ask({
    ...json(`/search/indexes/${WRITTEN_INDEX}/documents`, [{ id: 1, title: "a", section: "b" }]),
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
  });
  const site = await readSite();
  const contract = await readContract();
  return {
    server,
    port: server.port,
    unknown: unknownEndpoints(site.endpoints, contract),
    builder: endpoint && { port: builders.port, endpoint },
    cells: cellsOf(site, contract, { repository, project, hasBuilder: endpoint !== null }),
    callers: await openCallers(server, project),
    seed: stage.seed,
  };
}

interface Strike {
  /** Number of the first request. */
  first: number;
  worst: Map<string, Worst>;
  /** Places that nothing was sent to yet. */
  missed: Set<string>;
}

/** @returns how many problems there were */
async function strikeFour(stage: Stage, plan: Plan, { first, worst, missed }: Strike): Promise<number> {
  const requests = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => drawRequest(plan, first + at)),
  );
  for (const { place } of requests) missed.delete(place);
  const isSignOut = requests.some(({ place }) => place === SIGN_OUT);
  const title = requests.map((request) => request.title).join("; ");
  const { result, figure } = await stage.measure(plan.server, title, () =>
    Promise.all(requests.map((request) => carryAll(plan, request))),
  );
  let problems = 0;
  const holds = (condition: boolean, problem: string, at: number) => {
    if (!stage.check(condition, `${problem}${again(plan, first + at)}`)) problems += 1;
  };
  const isBusy = isMuch(figure);
  for (const [at, outcome] of result.entries()) {
    const request = requests[at]!;
    // If the four together took little, none of them took more.
    note(worst, request, outcome, isBusy ? {} : figure);
    holds(!outcome.isBad, `${request.title}: ${outcome.text}`, at);
  }
  if (isSignOut) await signInAgain(plan.server, plan.callers);
  if (!isBusy) return problems;
  for (const [at, request] of requests.entries()) {
    const alone = await measureAlone(stage, plan, request);
    note(worst, request, alone.result, alone.figure);
    const { blockCpuMs = 0, memoryBytes = 0 } = alone.figure;
    const tooLong = await stretchTooLong(blockCpuMs, async () => {
      const { figure } = await measureAlone(stage, plan, request);
      return figure.blockCpuMs ?? 0;
    });
    const took = `${request.title}: the event loop was kept for ${Math.round(tooLong ?? 0)} ms of CPU time, ${MOST_MS} are allowed`;
    holds(tooLong === null, took, at);
    // `measure` has reported it already.
    if (memoryBytes > MEMORY_BYTES) problems += 1;
  }
  // The last request's remaining work must not count for the next four.
  await untilAtRest(plan.server);
  return problems;
}

async function measureAlone(stage: Stage, plan: Plan, request: WorstRequest): Promise<Measured<Outcome>> {
  await untilAtRest(plan.server);
  return stage.measure(plan.server, request.title, () => carryAll(plan, request));
}

const isMuch = ({ blockCpuMs = 0, workerCpuMs = 0, memoryBytes = 0 }: Partial<Figure>) =>
  Math.max(blockCpuMs, workerCpuMs) > BUSY_MS || memoryBytes > BUSY_BYTES;

/** The worst of its steps. */
async function carryAll(server: Server, { sent }: WorstRequest): Promise<Outcome> {
  const texts: string[] = [];
  for (const step of sent) {
    const { text, isBad } = await carry(server, step);
    texts.push(text);
    if (isBad) return { text: texts.join(", then "), isBad };
  }
  return { text: texts.join(", then "), isBad: false };
}

function note(
  worst: Map<string, Worst>,
  { endpoint, title, sent: [first] }: WorstRequest,
  { text }: Outcome,
  figure: Partial<Figure>,
): void {
  const cpuMs = Math.max(figure.blockCpuMs ?? 0, figure.workerCpuMs ?? 0);
  const known = worst.get(endpoint);
  if (known && known.cpuMs >= cpuMs) return;
  worst.set(endpoint, {
    item: 29,
    name: title,
    outcome: text,
    sentBytes: first!.body.length,
    ...figure,
    cpuMs,
  });
}

const again = ({ seed, builder }: Plan, number: number) =>
  `\n           npm run test:attack -- ${builder ? "" : "--without-builders "}--repeat-worst ${seed}:${number}`;

async function isStillServing(stage: Stage, { server, builder }: Plan): Promise<void> {
  const answers: Answer[] = [];
  for (const path of ["/docs", "/docs?q=cache", "/health", "/readyz"])
    answers.push(await send(server.port, { path }));
  const statuses = answers.map(({ status }) => status);
  stage.check(
    statuses.every((status) => status === 200),
    `after it pages are answered ${statuses.join(", ")}`,
  );
  if (builder) {
    const client = await openClient(builder.port, builder.endpoint);
    const status = await askBuilder(client, `${CONTROL}ListWorkers`);
    client.destroy();
    stage.check(status >= 0, "after it the builder endpoint does not answer");
  }
  const stack = /^.*\n\s+at .*/m.exec(server.output())?.[0];
  stage.check(stack === undefined, `the server printed a stack: ${stack?.slice(0, 400)}`);
}

/** @param coordinates `seed:number`, as in a failure's message */
export async function repeatWorst(coordinates: string, hasBuilders: boolean): Promise<void> {
  const [seed = 0, number = 0] = coordinates.split(":").map(Number);
  const plan = await makePlan({ server: startServer, dataDir: newDataDir, seed }, hasBuilders);
  const { server } = plan;
  try {
    const request = await drawRequest(plan, number);
    console.log(request.title, request.sent[0]?.headers);
    for (const time of ["first", "second"]) {
      await server.probe("reset");
      const { text } = await carryAll(plan, request);
      const { main, workers, cpuMs } = await server.probe("read");
      console.log(`the ${time} time: ${text}`, main, workers, `${Math.round(cpuMs)} ms in all`);
    }
    console.log(server.output());
  } finally {
    await server.stop();
  }
}
