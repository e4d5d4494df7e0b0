/** Gives a run of the unit tests a temporary folder of its own, and removes it with what tests have left there. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { temporaryParent } from "./memory-folder.ts";

const PREFIX = "millrace-tests-";

/** @param project a project of vitest.config.ts */
export default async function setUp(project: { name: string }): Promise<(() => Promise<void>) | undefined> {
  // Another project of the same run has already made it.
  if (basename(tmpdir()).startsWith(PREFIX)) return undefined;
  // Real clients bring images and databases that are too large for memory.
  const parent = ["clients", "postgres", "installations"].includes(project.name)
    ? tmpdir()
    : temporaryParent();
  const folder = await mkdtemp(join(parent, PREFIX));
  // PostgreSQL runs as another user, and its folder is in this one.
  await chmod(folder, 0o711);
  // Applies to the processes that run the tests, and to their children.
  process.env["TMPDIR"] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
