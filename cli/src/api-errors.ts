/** Refusals of the server as messages and exit codes. */
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError, EXIT_FAILED, EXIT_NOT_AUTHENTICATED, EXIT_NOT_FOUND } from "./errors.ts";
import type { Session } from "./session.ts";
import { cleanLines } from "./text.ts";
import { readVersion } from "./version.ts";

const MAX_MESSAGE_LENGTH = 1000;

/** @returns undefined if the error is not a server's refusal */
export async function refusalOf(error: unknown, session: Session | undefined): Promise<CliError | undefined> {
  if (!(error instanceof ConnectError)) return undefined;
  // Errors of our `fetch` arrive wrapped.
  if (error.cause instanceof CliError) return error.cause;
  if (error.code === Code.Unimplemented && session) return olderServer(session, error);
  const name = Code[error.code].replace(/(?!^)[A-Z]/g, "_$&").toLowerCase();
  const message = cleanLines(error.rawMessage).slice(0, MAX_MESSAGE_LENGTH);
  const known: { [code: number]: number } = {
    [Code.Unauthenticated]: EXIT_NOT_AUTHENTICATED,
    [Code.NotFound]: EXIT_NOT_FOUND,
  };
  return new CliError(`${name}: ${message}`, known[error.code] ?? EXIT_FAILED, error);
}

/** A method that the server does not know came with a later version of the server. */
async function olderServer({ origin, offered }: Session, cause: ConnectError): Promise<CliError> {
  const { findInstallation } = await import("./installation.ts");
  const install =
    offered === undefined ? "" : `, or run: ${(await findInstallation()).command(origin, offered)}`;
  const version = offered === undefined ? "" : ` (millrace ${offered})`;
  return new CliError(
    `the server at ${origin}${version} is older than this millrace ${readVersion()} and does not support this command: update the server${install}`,
    EXIT_FAILED,
    cause,
  );
}
