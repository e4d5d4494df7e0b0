/**
 * Requests to one repository of a registry, with the authorization that the registry requires:
 *
 *   GET /v2/…  ─► 401, WWW-Authenticate: Bearer realm="…",service="…"  ─► GET realm  ─► GET /v2/… with the token
 *
 * https://distribution.github.io/distribution/spec/auth/token/
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, EXIT_NOT_AUTHENTICATED } from "../errors.ts";
import { openFetch } from "../network.ts";
import { networkError } from "../network-errors.ts";
import type { RegistryLogin } from "./docker-config.ts";
import { isFields } from "./docker-config.ts";
import { ANSWER_MS, MAX_ANSWER_BYTES, MAX_PAUSE_MS, MAX_REDIRECTS, MAX_TRIES } from "./limits.ts";

export interface RepositoryOptions {
  /** `https://ghcr.io` */
  origin: string;
  /** `acme/web` */
  path: string;
  login: RegistryLogin | undefined;
  /** The token for this server, which accepts it directly. */
  token?: string | undefined;
  env: NodeJS.ProcessEnv;
  actions: "pull" | "pull,push";
  /** Another repository of the same registry from which blobs may be mounted. */
  mountFrom?: string | undefined;
}

export interface RegistryRequest {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: URL;
  headers?: { [name: string]: string };
  body?: Uint8Array | (() => AsyncIterable<Uint8Array>);
  timeoutMs?: number;
}

export interface RegistryAccess extends RepositoryOptions {
  /** @returns the answer with any status but 401; the caller must read or cancel its body. @throws CliError */
  request(request: RegistryRequest): Promise<Response>;
}

export function openRepository(options: RepositoryOptions): RegistryAccess {
  const { token } = options;
  let authorization = token === undefined ? undefined : `Bearer ${token}`;
  const send = async (request: RegistryRequest): Promise<Response> => {
    const answer = await sendOnce(options.env, request, authorization);
    if (answer.status !== 401) return answer;
    if (token !== undefined) throw notAllowed(options, answer);
    authorization = await authorize(options, answer);
    // The caller decides what an upload sends again.
    const again = await sendOnce(options.env, request, authorization);
    if (again.status !== 401) return again;
    throw notAllowed(options, again);
  };
  return {
    ...options,
    request: (request) =>
      typeof request.body === "function" ? send(request) : retry(options, request, send),
  };
}

/** Only for requests whose body can be sent again. */
async function retry(
  options: RepositoryOptions,
  request: RegistryRequest,
  send: (request: RegistryRequest) => Promise<Response>,
): Promise<Response> {
  for (let left = MAX_TRIES; ; left--) {
    try {
      const answer = await send(request);
      if (left === 1 || (answer.status !== 429 && answer.status < 500)) return answer;
      await answer.body?.cancel();
      await sleep(pauseOf(answer, left));
    } catch (error) {
      if (left === 1 || error instanceof CliError) throw await explain(options, error, request.url);
      await sleep(pauseOf(undefined, left));
    }
  }
}

/** This server's address is a setting; another registry's address came with the image's name. */
export const explain = async ({ token }: RepositoryOptions, error: unknown, url: URL): Promise<CliError> =>
  error instanceof CliError ? error : networkError(error, url, token === undefined ? "--tag" : undefined);

function pauseOf(answer: Response | undefined, left: number): number {
  const wanted = Number(answer?.headers.get("retry-after") ?? "");
  return wanted > 0 ? Math.min(MAX_PAUSE_MS, wanted * 1000) : 250 * 2 ** (MAX_TRIES - left);
}

async function sendOnce(
  env: NodeJS.ProcessEnv,
  request: RegistryRequest,
  authorization: string | undefined,
  redirects = 0,
): Promise<Response> {
  const { url, method, headers = {}, body, timeoutMs = ANSWER_MS } = request;
  const ask = await openFetch(env);
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new CliError(`${url.origin} did not respond within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  try {
    const answer = await ask(url, {
      method,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      redirect: "manual",
      signal: deadline.signal,
      ...(body !== undefined && {
        body: typeof body === "function" ? toStream(body) : Buffer.from(body),
        duplex: "half",
      }),
      // The DOM's type has neither `duplex` nor such bodies.
    } as RequestInit);
    const target = method === "GET" || method === "HEAD" ? redirectOf(answer, url) : undefined;
    if (!target) return answer;
    await answer.body?.cancel();
    if (redirects >= MAX_REDIRECTS) throw new CliError(`${url.origin} redirects too many times`);
    // Another origin, such as a store's signed address, must not get the token.
    const kept = target.origin === url.origin ? authorization : undefined;
    return await sendOnce(env, { ...request, url: target }, kept, redirects + 1);
  } finally {
    clearTimeout(timer);
  }
}

const toStream = (open: () => AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const chunks = open()[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 1 },
  );
};

function redirectOf(answer: Response, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
  const location = answer.headers.get("location") ?? "";
  if (!URL.canParse(location, url)) throw new CliError(`${url.origin} redirects to an invalid address`);
  const target = new URL(location, url);
  if (target.protocol !== "https:" && target.protocol !== url.protocol)
    throw new CliError(`${url.origin} redirects to ${target.origin} without HTTPS`);
  return target;
}

async function authorize(options: RepositoryOptions, answer: Response): Promise<string> {
  const challenge = answer.headers.get("www-authenticate") ?? "";
  await answer.body?.cancel();
  const { login } = options;
  if (/^basic\b/i.test(challenge)) {
    if (!login) throw notAllowed(options, answer);
    return basic(login);
  }
  const realm = /\brealm="([^"]*)"/i.exec(challenge)?.[1] ?? "";
  if (!/^bearer\b/i.test(challenge) || !URL.canParse(realm))
    throw new CliError(`${options.origin} asks for a login in a way that this millrace does not support`);
  const url = new URL(realm);
  // A username and password are sent only to the registry, or over HTTPS to the server that it names.
  if (url.protocol !== "https:" && url.origin !== options.origin)
    throw new CliError(`${options.origin} asks to send the login to ${url.origin} without HTTPS`);
  const service = /\bservice="([^"]*)"/i.exec(challenge)?.[1];
  return `Bearer ${await fetchToken(options, url, service)}`;
}

const basic = ({ username, password }: RegistryLogin): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

async function fetchToken(
  options: RepositoryOptions,
  url: URL,
  service: string | undefined,
): Promise<string> {
  const { login, path, actions, mountFrom, env } = options;
  const scopes = [
    `repository:${path}:${actions}`,
    ...(mountFrom === undefined ? [] : [`repository:${mountFrom}:pull`]),
  ];
  const isRefresh = login?.username === "<token>";
  const fields = new URLSearchParams(scopes.map((scope) => ["scope", scope]));
  if (service !== undefined) fields.set("service", service);
  let request: RegistryRequest;
  if (isRefresh) {
    fields.set("scope", scopes.join(" "));
    fields.set("grant_type", "refresh_token");
    fields.set("refresh_token", login.password);
    fields.set("client_id", "millrace");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    request = { method: "POST", url, headers, body: Buffer.from(fields.toString()) };
  } else {
    for (const [name, value] of fields) url.searchParams.append(name, value);
    request = { method: "GET", url, headers: login ? { authorization: basic(login) } : {} };
  }
  const answer = await retry(options, request, (each) => sendOnce(env, each, undefined));
  if (answer.status !== 200) {
    await answer.body?.cancel();
    if (answer.status === 401 || answer.status === 403) throw notAllowed(options, answer);
    throw new CliError(`${url.origin} did not send a token for ${path}: it responded with ${answer.status}`);
  }
  const value = parseFields(await readBody(answer, MAX_ANSWER_BYTES));
  const token = value["token"] ?? value["access_token"];
  if (typeof token === "string" && /^[!-~]{1,65536}$/.test(token)) return token;
  throw new CliError(`${url.origin} did not send a token for ${path}`);
}

function notAllowed({ origin, path, login, token }: RepositoryOptions, answer: Response): CliError {
  const { host } = new URL(origin);
  if (token !== undefined)
    return new CliError(
      `unauthenticated: ${host} rejects the token for ${path}: run millrace login`,
      EXIT_NOT_AUTHENTICATED,
    );
  const why = login ? `rejects the login for ${path}` : `requires a login for ${path}`;
  void answer.body?.cancel().catch(() => {});
  return new CliError(`unauthenticated: ${host} ${why}: run docker login ${host}`, EXIT_NOT_AUTHENTICATED);
}

export function parseFields(bytes: Uint8Array): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

export async function readBody(answer: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > maxBytes)
      throw new CliError(`${new URL(answer.url).origin} sent more than ${maxBytes} bytes in one response`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
