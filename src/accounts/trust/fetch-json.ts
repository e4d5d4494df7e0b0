/**
 * Reads JSON from an address that someone else chose.
 *
 *   https://issuer/…  ──resolve──►  203.0.113.9   public? ──► connect to exactly this address
 *        │ 302 Location: https://other/…
 *        └──► the same checks again, at most three times
 *
 * Names are resolved by `createPublicLookup`. One deadline covers everything: names, connections, redirects and every byte of
 * the body.
 */
import http from "node:http";
import https from "node:https";
import {
  createPublicLookup,
  isPublicHost,
  plainHost,
  type Resolve,
} from "#platform/http/addresses/public-lookup.ts";
import { BodyError, readText } from "#platform/http/read-body.ts";

const MAX_REDIRECTS = 3;
const MAX_ADDRESS_LENGTH = 2000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

export interface FetchRules {
  /**
   * Hosts (`ci.internal`, `ci.internal:8443`) that may have any address. Names of this machine itself (`localhost`,
   * `127.0.0.1`, `[::1]`) may also use `http:`.
   */
  privateHosts: readonly string[];
  maxBytes: number;
  deadline: AbortSignal;
  resolve?: Resolve;
}

/**
 * The remote server, or the way to it, is not as it must be. The message completes "… cannot be read: " and is for the
 * operator: it reveals which hosts of the network exist.
 */
export class FetchError extends Error {
  override readonly name = "FetchError";
}

/** @throws FetchError */
export async function fetchJson(address: string, rules: FetchRules): Promise<unknown> {
  const { deadline } = rules;
  try {
    return JSON.parse(await follow(address, rules, deadline));
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError(reasonOf(error, deadline), { cause: error });
  }
}

async function follow(first: string, rules: FetchRules, deadline: AbortSignal): Promise<string> {
  let address = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const url = checkAddress(address, rules);
    const answer = await send(url, rules, deadline);
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (status === 200)
      return readText(
        { headers: { get: () => null }, body: answer },
        { maxBytes: rules.maxBytes, signal: deadline },
      );
    answer.destroy();
    if (!REDIRECTS.has(status) || location === undefined)
      throw new FetchError(`it responded with status ${status}`);
    if (!URL.canParse(location, url)) throw new FetchError("it redirects to an invalid address");
    address = new URL(location, url).href;
  }
  throw new FetchError(`it redirects more than ${MAX_REDIRECTS} times`);
}

/** Checks the address alone. The rest is checked when its host's name is resolved. */
function checkAddress(address: string, rules: FetchRules): URL {
  if (address.length > MAX_ADDRESS_LENGTH || !URL.canParse(address))
    throw new FetchError("it names an invalid address");
  const url = new URL(address);
  const isPrivate = isPrivateHost(url, rules.privateHosts);
  if (!isSecureEnough(url, rules.privateHosts))
    throw new FetchError("its address, or an address that it names, does not begin with https://");
  if (url.username !== "" || url.password !== "") throw new FetchError("an address contains a password");
  // A literal address is never resolved, so it is checked here.
  if (!isPrivate && !isPublicHost(url)) throw notPublic();
  return url;
}

/** Whether the address uses TLS, or names this machine itself and the operator allows that. */
export function isSecureEnough(url: URL, privateHosts: readonly string[]): boolean {
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && LOOPBACK.has(plainHost(url)) && isPrivateHost(url, privateHosts);
}

/** Whether the operator named this host as one that may be on a private network. */
function isPrivateHost(url: URL, privateHosts: readonly string[]): boolean {
  return privateHosts.some((entry) => entry === url.host || entry === url.hostname);
}

function send(url: URL, rules: FetchRules, signal: AbortSignal): Promise<http.IncomingMessage> {
  const lookup = createPublicLookup({
    isPrivate: isPrivateHost(url, rules.privateHosts),
    refuse: (problem) => (problem === "none" ? new FetchError("its host has no address") : notPublic()),
    resolve: rules.resolve,
  });
  return new Promise((answered, failed) => {
    const { request } = url.protocol === "https:" ? https : http;
    request(url, {
      lookup,
      signal,
      // A new connection: one that is kept open would be reused without being checked.
      agent: false,
      headers: { accept: "application/json", "user-agent": "millrace" },
    })
      .on("response", answered)
      .on("error", failed)
      .end();
  });
}

const notPublic = () => new FetchError("its host has no public address");

function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return "it does not respond in time";
  if (error instanceof BodyError) return `its response is ${error.problem}`;
  if (error instanceof SyntaxError) return "its response is not JSON";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND") return "its host is unknown";
  return /CERT|SIGNED|ALTNAME/.test(code) ? `its certificate is not valid (${code})` : "it does not respond";
}
