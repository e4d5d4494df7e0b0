/**
 * `npm run check`: what a change needs while it is made, in less than a minute: format, lint, types, boundaries, named paths, plain
 * English, and the unit tests of what has changed since the last commit.
 *
 *     npm run check                     once
 *     npm run check -- --since main     of what has changed since `main`
 *     npm run check -- --watch          again after each save
 */
import { watch } from "node:fs";
import { parseArgs } from "node:util";
import { root } from "#server/pages/build-folders.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { changedChecks } from "./checks/changed.ts";
import { runChecks } from "./checks/run-checks.ts";

/** Editors write a file in several steps, and a branch that is checked out changes many. */
const SETTLED_MS = 300;
const NOT_OURS = /(?:^|\/)(?:\.git|\.cache|\.data|node_modules|build|test-results)(?:\/|$)/;

const { since, watch: isWatching } = parseArgs({
  options: { since: { type: "string", default: "HEAD" }, watch: { type: "boolean", default: false } },
}).values;

await runCommand(async () => {
  const check = async () => runChecks(await changedChecks(since), []);
  await check();
  if (isWatching) await checkAfterSaves(check);
});

/** Never resolves. Saves during a run are checked after it. */
async function checkAfterSaves(check: () => Promise<void>): Promise<never> {
  let saved: () => void = () => {};
  let next = new Promise<void>((resolve) => (saved = resolve));
  watch(root, { recursive: true }, (_event, file) => {
    if (file !== null && !NOT_OURS.test(file)) saved();
  });
  for (;;) {
    await next;
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    next = new Promise<void>((resolve) => (saved = resolve));
    console.log("");
    await check();
    process.exitCode = 0;
  }
}
