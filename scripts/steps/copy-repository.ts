import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";

/** For tests: a copy of the repository without ignored files. @returns its folder. */
export function copyRepository({ withPackages }: { withPackages: boolean }): string {
  const copy = mkdtempSync(join(tmpdir(), "millrace-"));
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim().split("\n");
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  if (withPackages) symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}
