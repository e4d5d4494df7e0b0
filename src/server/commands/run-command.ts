import { isDiskFull } from "#platform/database/disk-full.ts";
import { UserError } from "#platform/environment/user-error.ts";

/**
 * Runs a command's main function. Any error ends the process with exit code 1, whatever is still open: a server that serves
 * nothing must not stay alive with its `DATA_DIR`. A `UserError` becomes one message instead of a stack.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const known = error instanceof UserError ? error.message : describeSystemError(error);
    if (known) console.error(known);
    else console.error(error);
    // Output must be written before the process ends, but a reader that takes nothing must not keep it alive.
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
  // Below a read-only folder, a recursive mkdir reports a new folder as missing.
  const isMkdir = code === "ENOENT" && syscall === "mkdir";
  if (code === "EROFS" || code === "EACCES" || code === "EPERM" || isMkdir)
    return `${path ?? "The project's folder"} cannot be written: make it writable, or start a copy of the project from a writable disk.`;
  if (isDiskFull(error)) return "The disk is full: free some space and run the command again.";
  return undefined;
}
