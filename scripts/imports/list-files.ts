import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";

/** The repository's files: what git tracks, and new files that it does not ignore. Relative to the project. */
export function listFiles(): string[] {
  const { stdout } = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split("\n").filter((file) => file !== "" && existsSync(join(root, file)));
}
