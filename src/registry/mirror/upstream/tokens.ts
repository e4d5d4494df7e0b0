/**
 * Docker's token flow, as a client: a registry refuses and says where to get a token, and for what.
 *
 *   401 WWW-Authenticate: Bearer realm="https://auth.docker.io/token",service="registry.docker.io"
 *   GET https://auth.docker.io/token?service=registry.docker.io&scope=repository:library/alpine:pull ─► { token }
 *
 * https://distribution.github.io/distribution/spec/auth/token/
 */
import { z } from "zod";
import { BodyError, readText } from "#platform/http/read-body.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { MAX_TOKEN_BYTES, MAX_TOKEN_SECONDS, MAX_TOKENS, SHORT_MS, TOKEN_SECONDS } from "../limits.ts";
import { asUpstreamError, readAddress, type Reach, sendRequest } from "./send-request.ts";
import { UpstreamError } from "./errors.ts";

export interface UpstreamTokensOptions {
  reach: Reach;
  credentials: Credentials | null;
  clock: () => number;
}

export interface UpstreamTokens {
  /** `Authorization` for the repository, if it is known. */
  known(path: string): string | undefined;
  /** Requests a token as the refusal says. @throws UpstreamError when there is none */
  obtain(path: string, challenge: string | undefined, signal: AbortSignal): Promise<string>;
  forget(path: string): void;
}

const answerSchema = z.object({
  token: z.string().max(MAX_TOKEN_BYTES).optional(),
  access_token: z.string().max(MAX_TOKEN_BYTES).optional(),
  expires_in: z.number().optional(),
});

export function createUpstreamTokens(options: UpstreamTokensOptions): UpstreamTokens {
  const { credentials, clock } = options;
  const remembered = new Map<string, { authorization: string; until: number }>();

  function remember(path: string, authorization: string, seconds: number): string {
    remembered.delete(path);
    remembered.set(path, { authorization, until: clock() + seconds * 1000 });
    // A Map iterates in insertion order.
    if (remembered.size > MAX_TOKENS) remembered.delete(remembered.keys().next().value!);
    return authorization;
  }

  return {
    known(path) {
      const found = remembered.get(path);
      const restMs = (found?.until ?? 0) - clock();
      // A clock that was set back extends no token.
      return restMs > 0 && restMs <= MAX_TOKEN_SECONDS * 1000 ? found?.authorization : undefined;
    },
    async obtain(path, challenge = "", signal) {
      const bearer = readChallenge(challenge, "bearer");
      if (bearer) {
        const { token, seconds } = await askForToken(options, { bearer, path, signal });
        return remember(path, `Bearer ${token}`, seconds);
      }
      if (credentials && readChallenge(challenge, "basic"))
        return remember(path, basic(credentials), MAX_TOKEN_SECONDS);
      throw refused(path);
    },
    forget: (path) => void remembered.delete(path),
  };
}

export const refused = (path: string) =>
  new UpstreamError("refused", `has no ${path}, or does not let this server read it`);

type Challenge = ReadonlyMap<string, string>;

const SCHEMES = { bearer: /(?:^|[\s,])bearer(?:\s|$)/i, basic: /(?:^|[\s,])basic(?:\s|$)/i };

/** @returns null when the header does not name the scheme */
function readChallenge(header: string, scheme: "bearer" | "basic"): Challenge | null {
  const at = SCHEMES[scheme].exec(header);
  if (!at) return null;
  const rest = header.slice(at.index + at[0].length);
  const found = new Map<string, string>();
  for (const [, name = "", value = ""] of rest.matchAll(/([a-z]{1,20})="([^"]{0,2000})"/gi))
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  return found;
}

interface TokenRequest {
  bearer: Challenge;
  path: string;
  signal: AbortSignal;
}

async function askForToken(
  { reach, credentials, clock }: UpstreamTokensOptions,
  { bearer, path, signal }: TokenRequest,
): Promise<{ token: string; seconds: number }> {
  const url = readAddress(bearer.get("realm") ?? "", reach);
  const service = bearer.get("service");
  if (service !== undefined) url.searchParams.set("service", service);
  url.searchParams.set("scope", `repository:${path}:pull`);
  const began = clock();
  const answer = await sendRequest(url, reach, {
    method: "GET",
    headers: { accept: "application/json", ...(credentials && { authorization: basic(credentials) }) },
    signal,
  });
  const { statusCode: status = 0 } = answer;
  if (status !== 200) {
    answer.destroy();
    if (status === 401 || status === 403 || status === 404) throw refused(path);
    if (status === 429) throw new UpstreamError("busy", "limits requests for tokens");
    throw new UpstreamError("away", `sent no token: ${url.origin} responded with status ${status}`);
  }
  try {
    const text = await readText(
      { headers: { get: () => null }, body: answer },
      { maxBytes: MAX_TOKEN_BYTES, timeoutMs: SHORT_MS, signal },
    );
    const { token, access_token: other, expires_in: seconds } = answerSchema.parse(JSON.parse(text));
    const found = token ?? other ?? "";
    // It goes into a header.
    if (!/^[\x21-\x7e]+$/.test(found)) throw new UpstreamError("away", "sent an invalid token");
    const lives = Math.min(seconds ?? TOKEN_SECONDS, MAX_TOKEN_SECONDS) - (clock() - began) / 1000;
    // Not a token that expires on its way.
    return { token: found, seconds: Math.max(0, lives - 5) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || error instanceof BodyError)
      throw new UpstreamError("away", `sent no token: the response of ${url.origin} is not valid`, {
        cause: error,
      });
    throw asUpstreamError(error, url);
  }
}

const basic = ({ username, password }: Credentials) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
