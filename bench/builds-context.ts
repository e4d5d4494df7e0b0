/**
 * A large build context, sent in turn to buildkitd directly and through the builders' port: the client's time, CPU and memory of
 * the process that runs the port, CPU of client and buildkitd. Needs root, runc, and `buildkitd` and `buildctl` in the folder
 * BUILDKIT.
 *
 *   BUILDKIT=<folder> node bench/builds-context.ts --megabytes 400 --runs 3
 */
import { execFile } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openProxyStage } from "../tests/clients/builds/proxy-stage.ts";

const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "400" }, runs: { type: "string", default: "3" } },
});
const MB = 1_000_000;
const SAMPLE_MS = 100;
/** Linux counts CPU time in ticks of 10 ms. */
const TICKS = 100;
const run = promisify(execFile);
const folder = process.env["BUILDKIT"];
if (folder === undefined) throw new Error("Set BUILDKIT to the folder of buildkitd and buildctl.");
const stage = await openProxyStage({ buildkit: folder, buildx: null });

/** New bytes each time, or only changes would be sent. In the same memory, because the port's process is measured. */
const bytes = Buffer.alloc(MB);
function writeContext(): void {
  const file = openSync(join(stage.context, "large"), "w");
  for (let left = Number(values.megabytes); left > 0; left -= 1) writeSync(file, randomFillSync(bytes));
  closeSync(file);
}

/** CPU seconds. @param first of the two fields: the process's own, or its ended children's */
function cpuOf(pid: number | "self", first: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[first]) + Number(fields[first + 1])) / TICKS;
}
const [OWN, OF_CHILDREN] = [11, 13];

/** The only child that keeps running. */
const daemon = Number(readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ")[0]);
const others = () => [cpuOf("self", OF_CHILDREN), cpuOf(daemon, OWN)] as const;

/**
 * Imitates the heap of a server that has run for a while: V8 lets that grow by only a few megabytes between full collections, but
 * not yet in a new process.
 */
setFlagsFromString("--expose-gc");
const settle = runInNewContext("gc") as () => void;

async function send(flags: readonly string[]) {
  writeContext();
  settle();
  let peak = process.memoryUsage.rss();
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_MS);
  const [before, cpu, [client, builder]] = [performance.now(), process.cpuUsage(), others()];
  const args = ["build", "--frontend=dockerfile.v0", `--local=context=${stage.context}`];
  await run(join(folder ?? "", "buildctl"), [...flags, ...args, `--local=dockerfile=${stage.context}`]);
  const seconds = (performance.now() - before) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(sampling);
  const after = others();
  const cpus = [(user + system) / 1e6, after[0] - client, after[1] - builder];
  return { seconds, cpus: cpus.map((each) => each.toFixed(2)), peakMb: peak / MB };
}

try {
  writeFileSync(join(stage.context, "Dockerfile"), "FROM scratch\nCOPY large /\n");
  for (let round = 0; round < Number(values.runs); round += 1) {
    for (const [name, flags] of [
      ["direct", [`--addr=unix://${stage.socket}`]],
      ["proxy", stage.flags],
    ] as const) {
      const { seconds, cpus, peakMb } = await send(flags);
      console.log(
        `${name}\t${seconds.toFixed(2)} s\tCPU: port ${cpus[0]}, client ${cpus[1]}, buildkitd ${cpus[2]}\tpeak ${peakMb.toFixed(0)} MB`,
      );
    }
  }
} finally {
  await stage.close();
}
