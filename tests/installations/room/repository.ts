/** A room's copies from this machine: the committed repository, programs that take minutes to build, images of Docker Hub. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "#server/pages/build-folders.ts";
import { cannotHave } from "../../clients/cache/install-tool.ts";
import { findBuildKit, findBuildx } from "../../clients/registry/tools.ts";

const run = promisify(execFile);
const MAIN = "main";

/**
 * A repository to clone from, with HEAD as its branch `main`.
 * @param others further branches by name, with their commits
 */
export async function writeRepository(
  folder: string,
  others: { [branch: string]: string } = {},
): Promise<string> {
  await run("git", ["init", "--quiet", "--bare", `--initial-branch=${MAIN}`, folder]);
  const refs = Object.entries({ [MAIN]: "HEAD", ...others });
  for (const [branch, commit] of refs) {
    const { stdout } = await run("git", ["rev-parse", commit], { cwd: root });
    const fetch = ["fetch", "--quiet", "--update-shallow", root, `${stdout.trim()}:refs/heads/${branch}`];
    await run("git", fetch, { cwd: folder });
  }
  return folder;
}

/** @returns whether this checkout has the commit, which a shallow one lacks */
export async function hasCommit(commit: string): Promise<boolean> {
  const asked = run("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root });
  return asked.then(
    () => true,
    () => cannotHave(commit, "this checkout has no history") ?? false,
  );
}

/** `buildkitd` and buildx, for `setup-builders --from`. @returns null, with a message, where they cannot be had */
export async function writePrograms(folder: string): Promise<string | null> {
  const [buildKit, buildx] = [await findBuildKit(), await findBuildx()];
  if (buildKit === null || buildx === null) return null;
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(buildKit, "buildkitd"), join(folder, "buildkitd"));
  copyFileSync(buildx, join(folder, "docker-buildx"));
  return dirname(join(folder, "buildkitd"));
}
