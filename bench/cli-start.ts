/**
 * How long the CLI takes to start, compared with Node.js itself: `millrace --version`, `--help`, one API call, and the Go helper
 * that closes immediately, each alternating with `node -e 0`, so that both see the same machine. Prints the medians of the
 * differences.
 *
 *   node bench/cli-start.ts [--runs 40] [--node /usr/bin/node]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPackage } from "../cli/build.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "40" }, node: { type: "string", default: process.execPath } },
});
const folder = mkdtempSync(join(tmpdir(), "cli-start-"));
await buildPackage(join(folder, "dist"));
const main = join(folder, "dist", "main.js");
/** Answers every call immediately, so that only the client's time is in the figures. */
const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end('{"user": "ada", "organization": "acme", "results": [{"hits": []}]}');
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
// It listens on a port.
const { port } = server.address() as AddressInfo;
const env = {
  HOME: folder,
  MILLRACE_URL: `http://127.0.0.1:${port}`,
  MILLRACE_TOKEN: "mr_user_of-the-benchmark",
};

async function timeOf(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(values.node, args, { env, stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end(args.includes("gocache") ? '{"ID":1,"Command":"close"}\n' : "");
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
  ["gocache"],
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
server.closeAllConnections();
server.close();
rmSync(folder, { recursive: true, force: true });
