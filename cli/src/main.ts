#!/usr/bin/env node
/** The entry. Code that `--version` does not need is loaded later, so that it starts as fast as Node.js. */
import { readVersion } from "./version.ts";

const OLDEST_NODE = 20;
const args = process.argv.slice(2);

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `millrace: Node.js ${process.versions.node} is too old: install ${OLDEST_NODE}.19 or newer\n`,
  );
  process.exitCode = 1;
} else if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  process.stdout.write(`millrace ${readVersion()}\n`);
} else {
  const { run } = await import("./run.ts");
  await run(args);
}
