/** The server, credential, organization and project of a command: a flag wins over the environment, which wins over a file. */
import type { GivenFlags } from "./arguments.ts";
import type { Token } from "./builds/split-arguments.ts";
import type { MillraceClient } from "./client.ts";
import { type Credentials, findCredentialsFile, readCredentials } from "./credentials.ts";
import { CliError, EXIT_NOT_AUTHENTICATED, usageError } from "./errors.ts";
import type { Command, Facts } from "./facts.ts";
import type { Terminal } from "./terminal.ts";
import { offeredBy } from "./version.ts";

/** One run of a command. */
export interface Invocation {
  command: Command;
  flags: GivenFlags;
  positionals: readonly string[];
  /** The words for the other program, if the command passes flags on. */
  theirs?: readonly Token[];
  facts: Facts;
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  folder: string;
  /** Standard input, if it has been read. */
  input?: string;
  /** The session that was opened last, for error messages about its server. */
  session?: Session;
}

export type CommandFunction = (call: Invocation) => Promise<void>;

/** A server, and a way to call it. */
export interface Session {
  origin: string;
  api: MillraceClient;
  /** The CLI that the server hands out, once it has answered: `0.1.0-1a2b3c4d`. */
  offered?: string | undefined;
}

const TOKEN = /^[!-~]{1,4096}$/;

/** @throws CliError with exit code 2 if no server is named, or its address is not an origin */
export async function findOrigin(
  call: Pick<Invocation, "flags" | "env">,
  credentials?: Credentials,
): Promise<string> {
  const flag = call.flags.text("--url");
  if (flag !== undefined) return parseOrigin(flag, "--url");
  const variable = call.env["MILLRACE_URL"];
  if (variable) return parseOrigin(variable, "MILLRACE_URL");
  const known = credentials ?? (await readCredentials(findCredentialsFile(call.env)));
  if (known?.current !== undefined) return parseOrigin(known.current, "the last login");
  throw usageError("no server: run millrace login --url <origin>, or set MILLRACE_URL");
}

function parseOrigin(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (!isOrigin || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw usageError(`${source} is not an origin: write https://build.acme.example, without a path`);
  return url.origin;
}

/** @throws CliError with exit code 3 without a credential */
export async function openSession(call: Invocation): Promise<Session> {
  const { origin, ...credential } = await findCredential(call);
  return connectTo(call, origin, credential);
}

export interface Credential {
  origin: string;
  token: string;
  /** Name or id; undefined for the token's organization. */
  organization: string | undefined;
}

/** @throws CliError with exit code 3 without a credential */
export async function findCredential(call: Invocation): Promise<Credential> {
  const origin = await findOrigin(call);
  const chosen = call.flags.text("--org") ?? call.env["MILLRACE_ORG"];
  const { token, organization } = await findToken(call, origin);
  return { origin, token, organization: chosen || organization };
}

export async function connectTo(
  call: Invocation,
  origin: string,
  { token, organization }: { token?: string | undefined; organization?: string | undefined },
): Promise<Session> {
  const [{ createClient }, { createFetch }] = await Promise.all([
    import("./client.ts"),
    import("./network.ts"),
  ]);
  const onHeaders = (headers: Headers) => (session.offered = offeredBy(headers));
  const session: Session = {
    origin,
    api: createClient(origin, token, {
      fetch: createFetch(call.env, { onHeaders, repeatsRefused: true }),
      ...(organization === undefined ? {} : { organization }),
    }),
  };
  call.session = session;
  return session;
}

async function findToken(
  call: Invocation,
  origin: string,
): Promise<{ token: string; organization?: string | undefined }> {
  const variable = call.env["MILLRACE_TOKEN"]?.trim();
  if (variable) return { token: checkToken(variable, "MILLRACE_TOKEN") };
  const { findOidcToken } = await import("./oidc-token.ts");
  const oidcToken = await findOidcToken(call.env, origin);
  if (oidcToken !== undefined) {
    const { api } = await connectTo(call, origin, {});
    const projectId = await requireProject(call);
    return { token: (await api.tokens.exchangeOidcToken({ projectId, oidcToken })).secret };
  }
  const entry = (await readCredentials(findCredentialsFile(call.env)))?.servers[origin];
  if (entry) return { ...entry, token: checkToken(entry.token, "the stored token") };
  throw new CliError(
    `unauthenticated: no token for ${origin}: run millrace login, or set MILLRACE_TOKEN`,
    EXIT_NOT_AUTHENTICATED,
  );
}

/** A line break in the header would cause an error that shows the token. */
export function checkToken(token: string, source: string): string {
  if (TOKEN.test(token)) return token;
  throw new CliError(`unauthenticated: ${source} is not a token`, EXIT_NOT_AUTHENTICATED);
}

/** The project of a flag, an argument, the environment or `millrace.json`. @throws CliError with exit code 2 without one */
export async function requireProject(call: Invocation, given?: string): Promise<string> {
  const named = given ?? call.flags.text("--project") ?? call.env["MILLRACE_PROJECT"];
  if (named) return named;
  const { findProject } = await import("./project-file.ts");
  const project = await findProject(call.folder);
  if (project !== undefined) return project;
  throw usageError("no project: run millrace init or pass --project");
}
