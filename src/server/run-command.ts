import { isDiskFull } from "#platform/database/disk-full.ts";
import { UserError } from "#platform/environment/user-error.ts";

/**
 * Runs a command's main function. Whatever it throws ends the process with exit code 1, and whatever is still open then: a
 * server that serves nothing must not live on with its `DATA_DIR`. A `UserError` becomes one message instead of a stack.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const known = error instanceof UserError ? error.message : describeSystemError(error);
    if (known) console.error(known);
    else console.error(error);
    // What was printed must have left before the process ends, but a reader that takes nothing must not keep it.
    setTimeout(() => process.exit(1), PRINT_MS).unref();
    process.exitCode = 1;
    await Promise.all(
      [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
    );
    process.exit(1);
  }
}

const PRINT_MS = 1_000;

function describeSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  // A read-only folder above a new one is "not there" to a recursive mkdir.
  const isMkdir = code === "ENOENT" && syscall === "mkdir";
  if (code === "EROFS" || code === "EACCES" || code === "EPERM" || isMkdir)
    return `${path ?? "The project's folder"} cannot be written: make it writable, or start a copy of the project from a writable disk.`;
  if (isDiskFull(error)) return "The disk is full: free some space and run the command again.";
  return undefined;
}
