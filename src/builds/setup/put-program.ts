/** Puts a program where the server finds it: complete and tested, or not at all. The server's user runs this. */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { syncFolder } from "#platform/files/durable.ts";
import { SetupError } from "./run-command.ts";

const run = promisify(execFile);
const TRY_MS = 20_000;

export interface Wanted {
  /** `buildkitd` */
  name: string;
  /** Arguments with which it prints its version. */
  args: readonly string[];
  version: string;
}

/** @param from a file, which is kept. @throws SetupError for a program that does not run or has another version */
export async function putProgram(from: string, to: string, wanted: Wanted): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  // A killed setup may have left its draft; only one runs at a time.
  const draft = `${to}.tmp`;
  try {
    await copyFile(from, draft);
    await chmod(draft, 0o755);
    const file = await open(draft);
    await file.sync().finally(() => file.close());
    await tryProgram(draft, wanted, from);
    await rename(draft, to);
    await syncFolder(dirname(to));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    throw new SetupError(
      `The disk of ${dirname(to)} is full, and ${wanted.name} is not installed: free some space and run setup-builders again.`,
      { cause: error },
    );
  } finally {
    await rm(draft, { force: true });
  }
}

async function tryProgram(path: string, { name, args, version }: Wanted, from: string): Promise<void> {
  const { stdout } = await run(path, args, { timeout: TRY_MS }).catch((error: Error) => {
    throw new SetupError(
      `${from} is not a ${name} that runs on this machine (${error.message.split("\n")[0]}). Use one for Linux and this processor.`,
      { cause: error },
    );
  });
  // Debian's packages print it without a "v".
  if (!stdout.includes(`v${version}`) && !stdout.includes(` ${version}`))
    throw new SetupError(
      `${from} is not ${name} ${version}: it reports "${stdout.trim().slice(0, 100)}". Use version ${version}.`,
    );
}
