/** One request to a host that an upstream may have named: only to public addresses, or those that the operator has listed. */
import http from "node:http";
import https from "node:https";
import { createPublicLookup, isPublicHost, type Resolve } from "#platform/http/addresses/public-lookup.ts";
import { MAX_ADDRESS_LENGTH, MAX_HEADER_BYTES, SILENT_MS } from "../limits.ts";
import { UpstreamError } from "./errors.ts";

export interface Reach {
  /** Origins that the operator has listed: they may be private, and without TLS if they say so. */
  listed: ReadonlySet<string>;
  resolve?: Resolve | undefined;
  /** For tests: milliseconds that an upstream may be silent. */
  silentMs?: number | undefined;
}

export interface OutgoingRequest {
  method: "GET" | "HEAD";
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

export type Answer = http.IncomingMessage;

/** @throws UpstreamError for an address that must not be requested */
export function readAddress(text: string, reach: Reach, base?: URL): URL {
  if (text.length > MAX_ADDRESS_LENGTH || !URL.canParse(text, base))
    throw new UpstreamError("away", "names an invalid address");
  const url = new URL(text, base);
  if (url.username !== "" || url.password !== "")
    throw new UpstreamError("away", "names an address with a password");
  if (reach.listed.has(url.origin)) return url;
  if (url.protocol !== "https:")
    throw new UpstreamError("away", `names ${url.origin}, which does not begin with https://`);
  // A literal address is connected to without being resolved.
  if (!isPublicHost(url)) throw notPublic(url);
  return url;
}

/**
 * @param url as checked by `readAddress`
 * @returns the answer with an unread body; it ends on its own when nothing arrives for too long
 * @throws UpstreamError
 */
export function sendRequest(
  url: URL,
  reach: Reach,
  { method, headers, signal }: OutgoingRequest,
): Promise<Answer> {
  const silentMs = reach.silentMs ?? SILENT_MS;
  const lookup = createPublicLookup({
    isPrivate: reach.listed.has(url.origin),
    refuse: (problem) =>
      problem === "private"
        ? notPublic(url)
        : new UpstreamError("away", `is at ${url.host}, an unknown host`),
    resolve: reach.resolve,
  });
  return new Promise((answered, failed) => {
    const { request } = url.protocol === "https:" ? https : http;
    const sent = request(url, {
      method,
      lookup,
      signal,
      // A new connection: one that is kept open would be reused without a check.
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: { "user-agent": "millrace", ...headers },
    });
    let coming: Answer | null = null;
    // The connection's timeout: it also applies while the body arrives.
    sent.setTimeout(silentMs, () =>
      (coming ?? sent).destroy(new UpstreamError("away", `sent nothing for ${silentMs / 1000} seconds`)),
    );
    sent
      .on("response", (answer) => {
        coming = answer;
        answered(answer);
      })
      .on("error", (error) => failed(asUpstreamError(error, url)))
      .end();
  });
}

export function asUpstreamError(error: unknown, url: URL): UpstreamError {
  if (error instanceof UpstreamError) return error;
  return new UpstreamError("away", `cannot be reached at ${url.origin} (${reasonOf(error)})`, {
    cause: error,
  });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its host is unknown";
  if (code === "ABORT_ERR") return "it took too long";
  return /CERT|SIGNED|ALTNAME/.test(code)
    ? `its certificate is not valid: ${code}`
    : code || "the connection broke off";
}

const notPublic = (url: URL) =>
  new UpstreamError(
    "away",
    `is at ${url.host}, which has no public address; list it in MILLRACE_MIRROR_HOSTS`,
  );
