/** The checks of `npm run check`: those that are quick, and the tests of what has changed. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "#platform/environment/user-error.ts";
import { root } from "#server/pages/build-folders.ts";
import { isCode } from "../imports/import-graph.ts";
import { checks } from "./checks.ts";
import { type Check, toolCheck } from "./run-checks.ts";
import { runRelated } from "./test-runs.ts";

const QUICK = ["lint", "types", "boundaries", "named paths", "plain english"];

/** @param since a commit. @throws UserError when git does not know it */
export async function changedChecks(since: string): Promise<Check[]> {
  const files = changedFiles(since);
  const code = files.filter(isCode);
  const prettier = [
    "node_modules/prettier/bin/prettier.cjs",
    "--check",
    "--ignore-unknown",
    "--log-level=warn",
  ];
  return [
    ...(files.length > 0 ? [toolCheck("format", [[...prettier, ...files]])] : []),
    ...checks.filter(({ name }) => QUICK.includes(name)),
    ...(code.length > 0 ? [{ name: "unit", run: () => runRelated(code) }] : []),
  ];
}

/** Relative to the project: changed since the commit, and new. */
export function changedFiles(since: string): string[] {
  const files = [
    ...git("diff", "--name-only", "--relative", since),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  return [...new Set(files)].filter((file) => file !== "" && existsSync(join(root, file)));
}

function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new UserError(`git ${args[0]} failed: ${stderr.trim() || "is git installed?"}`);
  return stdout.split("\n");
}
