/**
 * A large build context, sent to buildkitd directly and through the port of builders, in turn: time of the client, CPU and memory of
 * the process that the port runs in. Needs root, runc, and `buildkitd` and `buildctl` in the folder BUILDKIT.
 *
 *   BUILDKIT=<folder> node bench/builds-context.ts --megabytes 400 --runs 3
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { openProxyStage } from "../tests/clients/builds/proxy-stage.ts";

const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "400" }, runs: { type: "string", default: "3" } },
});
const MB = 1_000_000;
const SAMPLE_MS = 100;
const run = promisify(execFile);
const folder = process.env["BUILDKIT"];
if (folder === undefined) throw new Error("Set BUILDKIT to the folder of buildkitd and buildctl.");
const stage = await openProxyStage({ buildkit: folder, buildx: null });

/** New bytes each time, or only what changed would be sent. */
function writeContext(): void {
  const file = openSync(join(stage.context, "large"), "w");
  for (let left = Number(values.megabytes); left > 0; left -= 1) writeSync(file, randomBytes(MB));
  closeSync(file);
}

async function send(flags: readonly string[]) {
  writeContext();
  let peak = process.memoryUsage.rss();
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_MS);
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  const args = ["build", "--frontend=dockerfile.v0", `--local=context=${stage.context}`];
  await run(join(folder ?? "", "buildctl"), [...flags, ...args, `--local=dockerfile=${stage.context}`]);
  const seconds = (performance.now() - before) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(sampling);
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMb: peak / MB };
}

try {
  writeFileSync(join(stage.context, "Dockerfile"), "FROM scratch\nCOPY large /\n");
  for (let round = 0; round < Number(values.runs); round += 1) {
    for (const [name, flags] of [
      ["direct", [`--addr=unix://${stage.socket}`]],
      ["proxy", stage.flags],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would share the machine
      const { seconds, cpuSeconds, peakMb } = await send(flags);
      console.log(
        `${name}\t${seconds.toFixed(1)} s\tCPU ${cpuSeconds.toFixed(1)} s\tpeak ${peakMb.toFixed(0)} MB`,
      );
    }
  }
} finally {
  await stage.close();
}
