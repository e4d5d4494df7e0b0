/** Exit codes, as the reference page lists them. */
export const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
export const EXIT_NOT_AUTHENTICATED = 3;
export const EXIT_NOT_FOUND = 4;

/** Ends the command: its message is printed after `millrace: `, without a stack. */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT_FAILED, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** Ends the command without a message, when everything has been printed. */
export const endWith = (exitCode: number): CliError => new CliError("", exitCode);

export const usageError = (message: string): CliError => new CliError(message, EXIT_USAGE);

/** The code of a system error: "ENOENT". "" for other errors. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
