/**
 * Telemetry's throughput, and its cost to the search.
 *
 *   npm run bench:telemetry              into bench/telemetry.md
 *   npm run bench:telemetry -- --print   print, write no file
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../scripts/steps/build.ts";
import { buildFolders } from "#server/pages/build-folders.ts";
import { latencyOf, search, sendEvents, startServer } from "./telemetry/measure.ts";

const { values: options } = parseArgs({
  options: {
    print: { type: "boolean", default: false },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "6" },
  },
});
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const eventsPerSecond = 2000;
const eventsPerBody = 10;

const indexFile = join(buildFolders().search, "docs.index");
// Only stale steps: an index of an older format would be refused.
await build({ only: ["content", "index"], log: console.log });

/** Alternating, so that other load on the machine affects both equally. */
async function compareSearch() {
  const [on, off] = await Promise.all([startServer(indexFile, true), startServer(indexFile, false)]);
  const cpu = { on: 0, off: 0 };
  let searches = 0;
  for (let round = 0; round < 2; round++) for (const server of [on, off]) await search(server.port, 2);
  for (let round = 0; round < rounds; round++)
    for (const [name, server] of [
      ["on", on],
      ["off", off],
    ] as const) {
      const before = (await server.usage()).cpuMs;
      searches += (await search(server.port, 1)).length / 2;
      cpu[name] += (await server.usage()).cpuMs - before;
    }
  on.stop();
  off.stop();
  return { on: cpu.on / searches, off: cpu.off / searches };
}

async function measureEvents() {
  const server = await startServer(indexFile, true);
  await sendEvents(server.port, 500, eventsPerBody, 2);
  await search(server.port, rounds);
  const quiet = latencyOf(await search(server.port, rounds * 2));
  const before = await server.usage();
  const load = sendEvents(server.port, eventsPerSecond, eventsPerBody, seconds);
  const busy = latencyOf(await search(server.port, rounds * 2));
  const events = latencyOf(await load);
  const after = await server.usage();
  const alone = await server.usage();
  const ingest = latencyOf(await sendEvents(server.port, eventsPerSecond, eventsPerBody, seconds));
  const done = await server.usage();
  server.stop();
  const cpuPerEvent = (done.cpuMs - alone.cpuMs) / (eventsPerSecond * seconds);
  return {
    quiet,
    busy,
    events,
    ingest,
    cpuPerEvent,
    dropped: after.dropped - before.dropped + done.dropped - alone.dropped,
  };
}

const load = loadavg()[0] ?? 0;
const searchCost = await compareSearch();
const result = await measureEvents();
const report = reportOf();
console.log(report);
if (!options.print) writeFileSync(join(import.meta.dirname, "telemetry.md"), report);

function reportOf(): string {
  const { quiet, busy, events, ingest, cpuPerEvent, dropped } = result;
  const ms = (value: number) => value.toFixed(2);
  const ratio = (one: number, other: number) => `${(one / other).toFixed(2)} ×`;
  return `# Telemetry: what it takes, and what it costs

\`npm run bench:telemetry\` writes this file. One process serves search and telemetry over HTTP, with SQLite in its own thread;
another sends. Events come as posthog-js sends them, ${eventsPerBody} in a gzip body, at a steady ${eventsPerSecond} events a second whether answers
come or not; an answer comes after the commit (decision 004). Times depend on the machine and on what else it does: ratios of one run mean something, CPU time more than
the clock.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} cores, load average ${load.toFixed(1)} at the start,
${new Date().toISOString().slice(0, 10)}.${load > cpus().length ? " More work than cores: the times of the slowest answers are the machine's, not the server's." : ""}

| events | |
| --- | ---: |
| CPU time of an event, both threads, ms | ${cpuPerEvent.toFixed(3)} |
| events a second on one core | ${Math.round(1000 / cpuPerEvent).toLocaleString("en")} |
| answer to a body at ${eventsPerSecond} events/s, p50 ms | ${ms(ingest.p50)} |
| answer to a body at ${eventsPerSecond} events/s, p99 ms | ${ms(ingest.p99)} |
| the same while readers search, p99 ms | ${ms(events.p99)} |
| dropped | ${dropped} |

| search, one reader, a new query each time | without events | at ${eventsPerSecond} events/s | ratio |
| --- | ---: | ---: | ---: |
| p50 ms | ${ms(quiet.p50)} | ${ms(busy.p50)} | ${ratio(busy.p50, quiet.p50)} |
| p99 ms | ${ms(quiet.p99)} | ${ms(busy.p99)} | ${ratio(busy.p99, quiet.p99)} |

| counting of views and searches | off | on | ratio |
| --- | ---: | ---: | ---: |
| CPU time of a search request, ms | ${searchCost.off.toFixed(3)} | ${searchCost.on.toFixed(3)} | ${ratio(searchCost.on, searchCost.off)} |
`;
}
