/** Something the user can fix: only its message is printed, and the process ends with exit code 1. */
export class UserError extends Error {
  override name = "UserError";
}

/** Runs a command's main function; a `UserError` becomes one message instead of a stack. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const known = error instanceof UserError ? error.message : describeSystemError(error);
    if (!known) throw error;
    console.error(known);
    process.exitCode = 1;
  }
}

function describeSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "EROFS" || code === "EACCES" || code === "EPERM")
    return `${path ?? "The project's folder"} cannot be written: make it writable, or start a copy of the project from a writable disk.`;
  if (code === "ENOSPC") return "The disk is full: free some space and run the command again.";
  return undefined;
}
