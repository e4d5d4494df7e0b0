/**
 * How long the CLI takes to start, beside Node.js itself: `millrace --version`, `--help`, and one call of an API, each next
 * to `node -e 0` in turns, so that both see the same machine. The medians of their differences are printed.
 *
 *   node bench/cli-start.ts [--runs 40] [--node /usr/bin/node]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPackage } from "../cli/build.ts";
import { startCliServer, USER_TOKEN } from "../tests/clients/cli-server.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "40" }, node: { type: "string", default: process.execPath } },
});
const folder = mkdtempSync(join(tmpdir(), "cli-start-"));
await buildPackage(join(folder, "dist"));
const main = join(folder, "dist", "main.js");
const server = await startCliServer();
const env = { HOME: folder, MILLRACE_URL: server.origin, MILLRACE_TOKEN: USER_TOKEN };

async function timeOf(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(values.node, args, { env, stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return performance.now() - started;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

console.log(`| command | median, ms | more than \`node -e 0\`, ms |\n| --- | ---: | ---: |`);
for (const args of [
  ["--version"],
  ["--help"],
  ["whoami"],
  ["projects", "list"],
  ["docs", "search", "layer"],
]) {
  const own: number[] = [];
  const more: number[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const bare = await timeOf(["-e", "0"]);
    const time = await timeOf([main, ...args]);
    own.push(time);
    more.push(time - bare);
  }
  console.log(`| \`millrace ${args.join(" ")}\` | ${median(own).toFixed(0)} | ${median(more).toFixed(0)} |`);
}
await server.close();
rmSync(folder, { recursive: true, force: true });
