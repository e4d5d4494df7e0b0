/**
 * How long an organization with few requests waits while another organization floods the same production server.
 *
 *   npm run -s node -- bench/fair.ts                 rounds alternate, quiet and crowded; ratios count, not milliseconds
 *   npm run -s node -- bench/fair.ts --rounds 4 --size 2 --kinds "push,cache hit"
 *   npm run -s node -- bench/fair.ts --open          without the gate between organizations
 *   npm run -s node -- bench/fair.ts --apart         the crowd uses a separate server: the cost of the shared machine alone
 */
import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { createVisitor, type Visit } from "../tests/attack/crowded/resident.ts";
import { gather, settle } from "../tests/attack/crowded/town.ts";
import { startServer } from "../tests/attack/server-process.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "8" },
    /** Length of each half of a round. */
    seconds: { type: "string", default: "5" },
    size: { type: "string", default: "1" },
    kinds: { type: "string" },
    nice: { type: "string", default: "19" },
    open: { type: "boolean", default: false },
    apart: { type: "boolean", default: false },
  },
});

/** Milliseconds between two requests of the quiet organization. */
const PAUSE_MS = 8;
/** Long enough for the crowd's requests to end, or all to start. */
const SETTLE_MS = 500;

const cpus: number[] = [];
const stretches: number[] = [];
const nodeFlags = options.open ? ["--import", new URL("fair/open-gate.ts", import.meta.url).pathname] : [];
const start = () => startServer({ env: { RATE_LIMIT_FACTOR: "0" }, nodeFlags });
const server = await start();
let busy = server;
try {
  if (options.apart) busy = await start();
  await measure();
} finally {
  await Promise.all([...new Set([server, busy])].map((one) => one.stop()));
}

async function measure(): Promise<void> {
  const crowded = await settle(busy.port, "crowd", 16);
  const visitor = createVisitor(await settle(server.port, "quiet", 1));
  const kinds = options.kinds?.split(",");
  const crowd = await gather(crowded, {
    processes: 2,
    nice: Number(options.nice),
    size: Number(options.size),
    ...(kinds && { kinds }),
  });
  const half = () => {
    const end = performance.now() + Number(options.seconds) * 1_000;
    return visitor.visit(() => performance.now() > end, PAUSE_MS);
  };
  // Compile and warm both before measuring.
  await visitor.visit((round) => round >= 50, 1);
  await crowd.resume();
  await sleep(3_000);
  await crowd.pause();
  const visits: { quiet: Visit[]; crowded: Visit[] } = { quiet: [], crowded: [] };
  for (let round = 0; round < Number(options.rounds); round++) {
    await sleep(SETTLE_MS);
    visits.quiet.push(await half());
    await crowd.resume();
    await sleep(SETTLE_MS);
    await server.probe("reset");
    const began = performance.now();
    visits.crowded.push(await half());
    const { cpuMs, main } = await server.probe("read");
    stretches.push(main.cpuMs);
    cpus.push(cpuMs / (performance.now() - began));
    await crowd.pause();
  }
  print(visits, await crowd.count());
  await crowd.stop();
  visitor.close();
}

function print(visits: { quiet: Visit[]; crowded: Visit[] }, counts: object): void {
  const all = (of: Visit[], kind: string) => of.flatMap(({ times }) => times[kind] ?? []);
  const perRound = (kind: string, part: number) =>
    median(visits.crowded.map(({ times }, at) => ratio(times[kind]!, visits.quiet[at]!.times[kind]!, part)));
  console.log(
    "| | p50, ms: quiet | crowded | ratio | p99, ms: quiet | crowded | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  );
  for (const kind of Object.keys(visits.quiet[0]!.times)) {
    const [quiet, crowded] = [all(visits.quiet, kind), all(visits.crowded, kind)];
    const cells = [0.5, 0.99].flatMap((part) => [
      quantile(quiet, part).toFixed(1),
      quantile(crowded, part).toFixed(1),
      `${ratio(crowded, quiet, part).toFixed(2)} (rounds ${perRound(kind, part).toFixed(2)})`,
    ]);
    console.log(`| ${kind} | ${cells.join(" | ")} |`);
  }
  const refused = visits.crowded.flatMap((visit) => visit.refused).length;
  console.log(
    `Refused of the quiet one: ${refused}. CPUs of the quiet one's server, crowded: ${median(cpus).toFixed(2)}; its longest stretch: ${median(stretches).toFixed(0)} ms of CPU time.`,
  );
  console.log(`The crowd: ${JSON.stringify(counts)}`);
}

function ratio(above: number[], below: number[], part: number): number {
  return quantile(above, part) / quantile(below, part);
}

function median(values: number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
