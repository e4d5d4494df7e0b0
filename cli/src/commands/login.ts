/** `login`: a code that is confirmed in the browser (RFC 8628), or a token from standard input. */
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { changeCredentials, checkWritable, findCredentialsFile, type ServerEntry } from "../credentials.ts";
import { CliError, EXIT_NOT_AUTHENTICATED } from "../errors.ts";
import { createFetch } from "../network.ts";
import { hasScreen, openBrowser } from "../open-browser.ts";
import { addressToOpen, plainHttpWarning } from "../server-address.ts";
import { checkToken, connectTo, findOrigin, type Invocation } from "../session.ts";
import { cleanText } from "../text.ts";
import { readVersion } from "../version.ts";
import { askedWork, doWork } from "../work.ts";

const CLIENT_ID = "millrace-cli";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
const MAX_INPUT_BYTES = 16 * 1024;
/** Consecutive failures after which the login gives up. */
const MAX_FAILURES = 5;
/** Consecutive times that a server may ask for work. */
const MAX_ROUNDS = 3;
/** The default of RFC 8628, for an answer without an interval. */
const DEFAULT_INTERVAL_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 3600;

export async function login(call: Invocation): Promise<void> {
  const file = findCredentialsFile(call.env);
  // Also moves a damaged file aside before its origin is read.
  const copy = (await checkWritable(file)) as string | undefined;
  if (copy !== undefined) call.terminal.err(`${file.shown} was damaged and has been renamed to ${copy}\n`);
  const origin = await findOrigin(call);
  warn(call, plainHttpWarning(origin));
  const entry = call.flags.isSet("--token")
    ? await loginByToken(call, origin)
    : await loginByBrowser(call, origin);
  await changeCredentials(file, (credentials) => {
    credentials.current = origin;
    credentials.servers[origin] = entry;
  });
}

function warn({ terminal }: Invocation, warning: string | null): void {
  if (warning !== null) terminal.err(`millrace: ${warning}\n`);
}

async function loginByToken(call: Invocation, origin: string): Promise<ServerEntry> {
  const token = checkToken((await call.terminal.readInput(MAX_INPUT_BYTES)).trim(), "standard input");
  const chosen = call.flags.text("--org") ?? call.env["MILLRACE_ORG"];
  const { api } = await connectTo(call, origin, { token, organization: chosen || undefined });
  const { organization, user } = await api.account.whoAmI({});
  const owner = user === "" ? `organization ${organization}` : `${user}, organization ${organization}`;
  call.terminal.err(`Stored a token for ${cleanText(owner)}\n`);
  return { token, organization };
}

interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete?: string;
  expires_in?: number;
  interval?: number;
}

interface TokenAnswer {
  access_token?: string;
  organization?: string;
  user?: string;
  error?: string;
  error_description?: string;
}

async function loginByBrowser(call: Invocation, origin: string): Promise<ServerEntry> {
  const { terminal, env, flags } = call;
  const post = postForm(call, origin);
  const code = checkDeviceCode(await askForCode(call, post), origin);
  const { address, warning } = addressToOpen(code.verification_uri, origin);
  warn(call, warning && cleanText(warning));
  terminal.err(`Open ${cleanText(address)} and enter the code ${cleanText(code.user_code)}\n`);
  if (!flags.isSet("--no-browser") && terminal.isInteractive && hasScreen(env))
    openBrowser(addressToOpen(completeOf(code), origin).address);
  terminal.err("Waiting for the browser... ");
  const {
    access_token: token = "",
    organization = "",
    user = "",
  } = await waitForToken(post, code).catch((error) => {
    terminal.err("\n");
    throw error;
  });
  terminal.err(`logged in as ${cleanText(user)}, organization ${cleanText(organization)}\n`);
  return { token: checkToken(token, "the server's response"), organization: cleanText(organization) };
}

interface Headers {
  [name: string]: string;
}
type Post = (
  path: string,
  form: { [field: string]: string },
  headers?: Headers,
) => Promise<{ status: number; answer: unknown }>;

/** Under load, the server asks for some work first. */
async function askForCode({ terminal }: Invocation, post: Post): Promise<unknown> {
  const form = {
    client_id: CLIENT_ID,
    client_name: `millrace ${readVersion()}`,
    machine: hostname().slice(0, 100),
    system: `${process.platform} ${process.arch}`,
  };
  let headers: Headers = {};
  for (let round = 0; ; round++) {
    const { answer } = await post("/oauth/device_authorization", form, headers);
    const work = askedWork(answer);
    if (work === undefined || round === MAX_ROUNDS) return answer;
    if (round === 0)
      terminal.err(
        "The server is receiving many logins. Solving a challenge to show that this one is not part of a flood...\n",
      );
    headers = { ...(await doWork(work)) };
  }
}

function postForm(call: Invocation, origin: string): Post {
  const ask = createFetch(call.env);
  return async (path, form, headers = {}) => {
    const body = new URLSearchParams(form);
    const response = await ask(new URL(path, origin), { method: "POST", body, headers });
    return { status: response.status, answer: await response.json().catch(() => undefined) };
  };
}

function checkDeviceCode(answer: unknown, origin: string): DeviceCode {
  const code = (answer ?? {}) as Partial<DeviceCode>;
  const { device_code: secret, user_code: shown, verification_uri: address } = code;
  if (
    typeof secret === "string" &&
    typeof shown === "string" &&
    typeof address === "string" &&
    URL.canParse(address)
  )
    return code as DeviceCode;
  const { message, error_description: description } = code as {
    message?: unknown;
    error_description?: unknown;
  };
  const reason = [description, message].find((text) => typeof text === "string");
  throw new CliError(
    `${origin} did not send a code${reason === undefined ? ": is it a Millrace server?" : `: ${cleanText(String(reason))}`}`,
  );
}

const completeOf = ({ verification_uri: plain, verification_uri_complete: complete }: DeviceCode) =>
  complete !== undefined && URL.canParse(complete) ? complete : plain;

/** Polls until the user has decided, as often as the server allows. */
async function waitForToken(post: Post, code: DeviceCode): Promise<TokenAnswer> {
  let interval = Math.min(seconds(code.interval, DEFAULT_INTERVAL_SECONDS), MAX_INTERVAL_SECONDS);
  let left = Math.min(seconds(code.expires_in, MAX_LIFETIME_SECONDS), MAX_LIFETIME_SECONDS);
  const form = { grant_type: GRANT_TYPE, device_code: code.device_code, client_id: CLIENT_ID };
  for (let failures = 0; left > 0; left -= interval) {
    await sleep(interval * 1000);
    let answer: TokenAnswer;
    try {
      answer = ((await post("/oauth/token", form)).answer ?? {}) as TokenAnswer;
      if (answer.error === "temporarily_unavailable") throw refusal(answer);
      failures = 0;
    } catch (error) {
      // A closed laptop, or a restarting server: the code is still valid.
      if (++failures === MAX_FAILURES) throw error;
      continue;
    }
    if (typeof answer.access_token === "string") return answer;
    if (answer.error === "slow_down") interval += DEFAULT_INTERVAL_SECONDS;
    else if (answer.error !== "authorization_pending") throw refusal(answer);
  }
  throw refusal({ error: "expired_token" });
}

const seconds = (value: unknown, absent: number): number =>
  typeof value === "number" && value >= 0 && Number.isFinite(value) ? Math.max(value, 0.01) : absent;

function refusal({ error = "", error_description: description = "" }: TokenAnswer): CliError {
  const known: { [code: string]: string } = {
    access_denied: "the login was refused in the browser",
    expired_token: "the code has expired: run millrace login again",
  };
  const message =
    known[error] ??
    (cleanText(String(description || error)).slice(0, 300) || "the server did not send a token");
  return new CliError(`unauthenticated: ${message}`, EXIT_NOT_AUTHENTICATED);
}
