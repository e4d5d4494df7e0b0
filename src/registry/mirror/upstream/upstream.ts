/**
 * A registry that images are pulled from: the client's side of OCI Distribution.
 *
 *   HEAD /v2/library/alpine/manifests/3.20   what the tag is now; Docker's own registry does not count it
 *   GET  /v2/library/alpine/manifests/sha256:…
 *   GET  /v2/library/alpine/blobs/sha256:…   ─► 307 to another host, without credentials
 */
import { createHash } from "node:crypto";
import { BodyError, readBytes } from "#platform/http/read-body.ts";
import { readStored } from "#platform/http/read-stored.ts";
import { MAX_BLOB_BYTES, MAX_MANIFEST_BYTES } from "../../contract/limits.ts";
import { algorithmOf } from "../../contract/names.ts";
import { readJson } from "../../manifests/read-json.ts";
import type { Credentials } from "../credentials/credentials.ts";
import type { MirrorHost } from "../names/hosts.ts";
import { BLOB_MS, MAX_REDIRECTS, SHORT_MS } from "../limits.ts";
import { type Answer, asUpstreamError, readAddress, type Reach, sendRequest } from "./send-request.ts";
import { UpstreamError } from "./errors.ts";
import { createUpstreamTokens, refused, type UpstreamTokens } from "./tokens.ts";

export interface UpstreamManifest {
  mediaType: string;
  bytes: Uint8Array;
}

export interface UpstreamBlob {
  /** As the upstream announces; its answer has exactly that many. */
  size: number | undefined;
  /** Calls `take` with each piece in turn. @throws UpstreamError, and what `take` throws */
  read(take: (piece: Buffer) => Promise<void>): Promise<void>;
  /** For a blob that no one reads. */
  close(): void;
}

/** Resolves when there is memory for that many bytes. */
export type AwaitRoom = (bytes: number) => Promise<void>;

/** All methods throw `UpstreamError`. */
export interface Upstream {
  /** A tag's current digest; undefined: the upstream does not report it without the manifest. */
  digestOf(path: string, tag: string): Promise<string | undefined>;
  /** @param awaitRoom called before the bytes are read; its errors pass through */
  manifest(path: string, reference: string, awaitRoom: AwaitRoom): Promise<UpstreamManifest>;
  blob(path: string, digest: string): Promise<UpstreamBlob>;
}

export interface UpstreamOptions {
  host: MirrorHost;
  credentials: Credentials | null;
  reach: Reach;
  clock: () => number;
  /** Ends what is under way. */
  closing: AbortSignal;
}

const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.oci.artifact.manifest.v1+json",
  "*/*;q=0.5",
].join(", ");
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function createUpstream(options: UpstreamOptions): Upstream {
  const tokens = createUpstreamTokens(options);
  const within = (ms: number) => AbortSignal.any([options.closing, AbortSignal.timeout(ms)]);
  const ask = (asked: Omit<Asked, "tokens">) => askUpstream(options, { ...asked, tokens });
  return {
    async digestOf(path, tag) {
      const rest = `/manifests/${tag}`;
      const signal = within(SHORT_MS);
      const { answer } = await ask({ method: "HEAD", path, rest, accept: MANIFEST_TYPES, signal });
      answer.resume();
      const digest = answer.headers["docker-content-digest"]?.toString() ?? "";
      return algorithmOf(digest) === null ? undefined : digest;
    },
    async manifest(path, reference, awaitRoom) {
      const rest = `/manifests/${reference}`;
      const signal = within(SHORT_MS);
      const { answer, url } = await ask({ method: "GET", path, rest, accept: MANIFEST_TYPES, signal });
      const length = Number(answer.headers["content-length"] ?? Number.NaN);
      // An answer without a length may have as many bytes as are accepted.
      const most = length <= MAX_MANIFEST_BYTES ? length : MAX_MANIFEST_BYTES;
      await awaitRoom(most).catch((error: unknown) => {
        answer.destroy();
        throw error;
      });
      const body = { headers: headersOf(answer), body: answer };
      const bytes = await readBytes(body, { maxBytes: MAX_MANIFEST_BYTES, signal }).catch(
        (error: unknown) => {
          throw asBodyError(error, url);
        },
      );
      refuseOtherDigest(answer, bytes);
      return { mediaType: mediaTypeOf(answer, bytes), bytes };
    },
    async blob(path, digest) {
      const rest = `/blobs/${digest}`;
      const signal = within(BLOB_MS);
      const { answer, url } = await ask({ method: "GET", path, rest, accept: "*/*", signal });
      const length = Number(answer.headers["content-length"] ?? Number.NaN);
      return {
        size: Number.isSafeInteger(length) ? length : undefined,
        read: (take) => readAll(answer, { url, signal }, take),
        close: () => void answer.destroy(),
      };
    },
  };
}

interface Asked {
  tokens: UpstreamTokens;
  method: "GET" | "HEAD";
  /** The repository's path. */
  path: string;
  /** `/manifests/latest` */
  rest: string;
  accept: string;
  signal: AbortSignal;
}

/** @returns an answer with status 200 */
async function askUpstream(
  { host, reach }: UpstreamOptions,
  asked: Asked,
): Promise<{ answer: Answer; url: URL }> {
  const { tokens, path, rest, signal } = asked;
  // The host's own address comes from the operator, or is a known one.
  const first = new URL(`/v2/${path}${rest}`, host.origin);
  let authorization = tokens.known(path);
  let found = await follow(first, reach, { ...asked, authorization });
  if (found.answer.statusCode === 401 && found.url.origin === first.origin) {
    found.answer.destroy();
    tokens.forget(path);
    authorization = await tokens.obtain(path, found.answer.headers["www-authenticate"], signal);
    found = await follow(first, reach, { ...asked, authorization });
    if (found.answer.statusCode === 401) tokens.forget(path);
  }
  const { answer } = found;
  if (answer.statusCode === 200) return found;
  answer.destroy();
  throw toProblem(answer, path, rest);
}

function toProblem({ statusCode = 0, headers }: Answer, path: string, rest: string): UpstreamError {
  if (statusCode === 404) return new UpstreamError("missing", `has no ${path}${rest}`);
  if (statusCode === 401 || statusCode === 403) return refused(path);
  if (statusCode === 429) {
    const seconds = Number(headers["retry-after"] ?? Number.NaN);
    const retrySeconds = seconds > 0 && seconds < 86_400 ? Math.ceil(seconds) : undefined;
    return new UpstreamError("busy", "limits requests", { retrySeconds });
  }
  return new UpstreamError("away", `responded with status ${statusCode}`);
}

/** Each address is checked like the first; other hosts get no credentials. */
async function follow(
  first: URL,
  reach: Reach,
  { method, accept, authorization, signal }: Asked & { authorization: string | undefined },
): Promise<{ answer: Answer; url: URL }> {
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const isOwn = url.origin === first.origin;
    const headers = { accept, ...(isOwn && authorization !== undefined && { authorization }) };
    const answer = await sendRequest(url, reach, { method, headers, signal });
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return { answer, url };
    answer.destroy();
    url = readAddress(location, reach, url);
  }
  throw new UpstreamError("away", `redirects more than ${MAX_REDIRECTS} times`);
}

const headersOf = ({ headers }: Answer) => ({ get: (name: string) => headers[name]?.toString() ?? null });

async function readAll(
  answer: Answer,
  { url, signal }: { url: URL; signal: AbortSignal },
  take: (piece: Buffer) => Promise<void>,
): Promise<void> {
  const pieces = readStored(
    { headers: headersOf(answer), body: answer },
    { maxBytes: MAX_BLOB_BYTES, signal },
  );
  try {
    for (;;) {
      const next = await pieces.next().catch((error: unknown) => {
        throw asBodyError(error, url);
      });
      if (next.done) return;
      await take(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
    }
  } finally {
    answer.destroy();
    await pieces.return(undefined);
  }
}

function asBodyError(error: unknown, url: URL): UpstreamError {
  if (error instanceof BodyError) {
    if (error.cause instanceof UpstreamError) return error.cause;
    return new UpstreamError("away", `sent a response that is ${error.problem}`, { cause: error });
  }
  return asUpstreamError(error, url);
}

/** The bytes for a tag are compared with the digest that the answer names, as clients do. */
function refuseOtherDigest({ headers }: Answer, bytes: Uint8Array): void {
  const named = headers["docker-content-digest"]?.toString() ?? "";
  const algorithm = algorithmOf(named);
  if (algorithm && named !== `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`)
    throw new UpstreamError("away", `sent a manifest that does not match its digest ${named}`);
}

const NAMES_NO_TYPE = new Set(["", "application/octet-stream", "application/json", "text/plain"]);

/** Some hosts name the type only in the manifest. */
function mediaTypeOf({ headers }: Answer, bytes: Uint8Array): string {
  const named = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!NAMES_NO_TYPE.has(named)) return named;
  try {
    const { mediaType } = readJson(bytes) as { mediaType?: unknown };
    return typeof mediaType === "string" ? mediaType : named;
  } catch {
    return named;
  }
}
