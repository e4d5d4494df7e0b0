/** Refusals of the server as messages and exit codes. */
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError, EXIT_FAILED, EXIT_NOT_AUTHENTICATED, EXIT_NOT_FOUND } from "./errors.ts";
import type { Session } from "./session.ts";
import { cleanText } from "./text.ts";
import { readVersion } from "./version.ts";

const MAX_MESSAGE_LENGTH = 1000;

/** Undefined if it is no refusal of a server. */
export async function refusalOf(error: unknown, session: Session | undefined): Promise<CliError | undefined> {
  if (!(error instanceof ConnectError)) return undefined;
  // What `fetch` threw comes back wrapped.
  if (error.cause instanceof CliError) return error.cause;
  if (error.code === Code.Unimplemented && session) return olderServer(session, error);
  const name = Code[error.code].replace(/(?!^)[A-Z]/g, "_$&").toLowerCase();
  const message = cleanText(error.rawMessage).slice(0, MAX_MESSAGE_LENGTH);
  const known: { [code: number]: number } = {
    [Code.Unauthenticated]: EXIT_NOT_AUTHENTICATED,
    [Code.NotFound]: EXIT_NOT_FOUND,
  };
  return new CliError(`${name}: ${message}`, known[error.code] ?? EXIT_FAILED, error);
}

/** Every method that a command calls exists since the first version of the API, or came with a later server. */
async function olderServer({ origin, api }: Session, cause: ConnectError): Promise<CliError> {
  const version = await api.account.whoAmI({}).then(
    (answer) => shownVersion(answer.version),
    () => "",
  );
  const install = version === "" ? "" : `, or run: npm install -g millrace@${version}`;
  return new CliError(
    `the server at ${origin}${version === "" ? "" : ` (millrace ${version})`} is older than this millrace ${readVersion()} and does not know the command: update the server${install}`,
    EXIT_FAILED,
    cause,
  );
}

/** A note if the two are not of the same major version; "" if they are. */
export function compareVersions(server: string): string {
  const version = shownVersion(server);
  const own = readVersion();
  if (version === "" || version.split(".")[0] === own.split(".")[0]) return "";
  return `millrace: the server is millrace ${version} and this is ${own}. Run: npm install -g millrace@${version}\n`;
}

const shownVersion = (version: string): string => /^\d{1,5}\.\d{1,5}\.\d{1,5}/.exec(version)?.[0] ?? "";
