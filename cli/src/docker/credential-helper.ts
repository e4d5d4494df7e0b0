/**
 * `docker-credential-millrace`: Docker asks it for this server's login, and gets the CLI's.
 *
 *   get     stdin: the server's address      stdout: {"ServerURL": …, "Username": "x-token", "Secret": …}
 *   store   stdin: the same as JSON          stores a token if the CLI has none
 *   erase   stdin: the server's address      removes the token of `store`; the CLI's own login stays
 *   list                                     stdout: {"https://build.acme.example": "x-token"}
 *
 * https://github.com/docker/docker-credential-helpers
 */
import { changeCredentials, type Credentials, findCredentialsFile, readCredentials } from "../credentials.ts";
import { CliError } from "../errors.ts";
import { isFields } from "../registry/docker-config.ts";
import { checkToken, findCredential, type Invocation } from "../session.ts";

export const HELPER = "millrace";
const USERNAME = "x-token";
const MAX_INPUT_BYTES = 64 * 1024;
/** Docker recognizes this text, and continues without a login. */
const NOT_FOUND = "credentials not found in native keychain";

/** Standard output is for Docker, errors included. @returns the exit code */
export async function answerDocker(call: Omit<Invocation, "command">, action: string): Promise<number> {
  const { terminal } = call;
  try {
    const answer = await answerAction(call, action);
    if (answer !== undefined) terminal.out(`${JSON.stringify(answer)}\n`);
    return 0;
  } catch (error) {
    terminal.out(`${error instanceof CliError ? error.message : "millrace could not handle the request"}\n`);
    return 1;
  }
}

async function answerAction(call: Omit<Invocation, "command">, action: string): Promise<object | undefined> {
  const { terminal } = call;
  if (action === "list") return listServers(call);
  const input = await terminal.readInput(MAX_INPUT_BYTES);
  switch (action) {
    case "get":
      return getLogin(call, input.trim());
    case "store":
      return storeLogin(call, input);
    case "erase":
      return eraseLogin(call, input.trim());
    default:
      throw new CliError("docker-credential-millrace expects one of: get, store, erase, list");
  }
}

const readFile = ({ env }: { env: NodeJS.ProcessEnv }): Promise<Credentials | undefined> =>
  readCredentials(findCredentialsFile(env));

async function listServers(call: { env: NodeJS.ProcessEnv }): Promise<object> {
  const servers = Object.keys((await readFile(call))?.servers ?? {});
  return Object.fromEntries(servers.map((origin) => [origin, USERNAME]));
}

async function getLogin(call: Omit<Invocation, "command">, address: string): Promise<object> {
  const origin = await findOriginOf(call, address);
  const { token } = await findLogin(call, origin);
  return { ServerURL: address, Username: USERNAME, Secret: token };
}

/** The login that a command would use for that server: the environment before the file. */
function findLogin(call: Omit<Invocation, "command">, origin: string) {
  const flags = {
    text: (name: string) => (name === "--url" ? origin : undefined),
    texts: () => [],
    isSet: () => false,
  };
  const command = {
    name: "",
    group: "",
    part: "",
    summary: "",
    synopsis: "",
    arguments: [],
    flags: [],
    examples: [],
  };
  const { MILLRACE_URL: server, MILLRACE_TOKEN: _, ...others } = call.env;
  // The environment's token is for the environment's server.
  const isMeant = server === undefined || server === "" || hostOf(server) === hostOf(origin);
  return findCredential({ ...call, command, flags, env: isMeant ? call.env : others }).catch(() => {
    throw new CliError(NOT_FOUND);
  });
}

/** Docker names a host, with or without `https://`. */
async function findOriginOf(call: { env: NodeJS.ProcessEnv }, address: string): Promise<string> {
  const host = hostOf(address);
  const credentials = await readFile(call);
  const origins = [call.env["MILLRACE_URL"] ?? "", ...Object.keys(credentials?.servers ?? {})];
  const origin = origins.find((each) => each !== "" && hostOf(each) === host);
  if (host === "" || origin === undefined) throw new CliError(NOT_FOUND);
  return new URL(origin).origin;
}

function hostOf(address: string): string {
  const text = address.includes("://") ? address : `https://${address}`;
  if (!URL.canParse(text)) return "";
  const { protocol, host, port, hostname } = new URL(text);
  return port === "" && protocol === "http:" ? `${hostname}:80` : host;
}

async function storeLogin(call: Omit<Invocation, "command">, input: string): Promise<undefined> {
  const { address, secret } = readStored(input);
  const origin = await findOriginOf(call, address).catch(() => originOf(address));
  const token = checkToken(secret, "the password");
  const known = await findLogin(call, origin).then(
    (credential) => credential.token,
    () => undefined,
  );
  if (known === token) return undefined;
  const taken = new CliError(
    `millrace is logged in to ${origin} with a different token: run millrace logout first, or millrace configure-docker --uninstall`,
  );
  if (known !== undefined) throw taken;
  await changeCredentials(findCredentialsFile(call.env), ({ servers }) => {
    servers[origin] = { token, isOfDocker: true };
  });
  return undefined;
}

function originOf(address: string): string {
  const isLocal = /^(?:https?:\/\/)?(?:localhost|127\.|\[::1\])/.test(address);
  const text = address.includes("://") ? address : `${isLocal ? "http" : "https"}://${address}`;
  if (!URL.canParse(text)) throw new CliError("the server's address is invalid");
  return new URL(text).origin;
}

function readStored(input: string): { address: string; secret: string } {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    value = null;
  }
  const { ServerURL: address, Secret: secret } = isFields(value) ? value : {};
  if (typeof address !== "string" || typeof secret !== "string")
    throw new CliError("store expects {ServerURL, Username, Secret} on standard input");
  return { address, secret };
}

async function eraseLogin(call: Omit<Invocation, "command">, address: string): Promise<undefined> {
  const origin = await findOriginOf(call, address).catch(() => undefined);
  const entry = origin === undefined ? undefined : (await readFile(call))?.servers[origin];
  if (origin === undefined || !entry?.isOfDocker) return undefined;
  await changeCredentials(findCredentialsFile(call.env), ({ servers }) => {
    if (servers[origin]?.isOfDocker) delete servers[origin];
  });
  return undefined;
}
