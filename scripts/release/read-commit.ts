import { mkdir } from "node:fs/promises";
import { root } from "#server/pages/build-folders.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { runProgram } from "./run-program.ts";

export interface Commit {
  id: string;
  /** The commit's time, in seconds since 1970. */
  time: number;
}

const git = (args: string[]) => runProgram("git", args, { cwd: root });

/** The checked-out commit. @throws UserError when there are uncommitted changes */
export async function requireCommit(): Promise<Commit> {
  const changes = (await git(["status", "--porcelain"])).trim();
  if (changes !== "")
    throw new UserError(
      `A release is made from a commit, and this checkout differs from it:\n${changes.split("\n").slice(0, 10).join("\n")}\nCommit these changes, or undo them.`,
    );
  const [id = "", time = ""] = (await git(["log", "-1", "--format=%H %ct"])).trim().split(" ");
  return { id, time: Number(time) };
}

/** Unpacks the files of a commit, without any other files of the checkout. */
export async function unpackCommit({ id }: Commit, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await git(["archive", "--format=tar", `--output=${archive}`, id]);
  await runProgram("tar", ["--extract", `--file=${archive}`], { cwd: folder });
}
