/**
 * Requested content that is not here is fetched, stored, and then answered like everything else. A blob is sent while it is
 * stored: a client that gets nothing for a minute gives up, and so do proxies. It is fetched once for all clients, and a client
 * that is slow or leaves holds up no one.
 *
 *   tag     stored, and asked for less than 5 minutes ago ─► as it is
 *           stored, and older                             ─► HEAD; the same ─► as it is; another ─► GET
 *           the upstream is unreachable, busy or slow     ─► as it is
 *   digest  stored ─► as it is, and the upstream is not asked
 */
import type { Blob, Blobs } from "#platform/blobs/blobs.ts";
import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import { algorithmOf, isTag } from "../../contract/names.ts";
import type { RegistryParts } from "../../contract/parts.ts";
import type { Grant, Manifest, Manifests, RepositoryBlobs, Uploads } from "../../contract/registry.ts";
import { asWrong, isAway, toAnswer } from "./answer-upstream-error.ts";
import { createAskedTags } from "./asked-tags.ts";
import { fetchManifest } from "./fetch-manifest.ts";
import { STALE_AFTER_MS } from "../limits.ts";
import { createLiveBlob, type LiveBlob } from "./live-blob.ts";
import { sourceOf } from "../names/repositories.ts";
import { touchManifest } from "../storage/rows.ts";
import { createSingleFlight, type SingleFlight } from "./single-flight.ts";
import type { Upstream, UpstreamManifest } from "../upstream/upstream.ts";
import { UpstreamError } from "../upstream/errors.ts";

/** The registry's own parts, which store fetched content. */
export interface KeptContent {
  manifests: Manifests;
  repositoryBlobs: RepositoryBlobs;
  uploads: Uploads;
}

export interface PullThroughOptions {
  parts: Pick<RegistryParts, "database" | "clock" | "log">;
  kept: KeptContent;
  blobs: Blobs;
  upstreamOf: (grant: Grant) => Promise<Upstream>;
  /** Called with the number of bytes that were stored. */
  onKept: (bytes: number) => void;
  staleAfterMs?: number | undefined;
}

export interface PullThrough {
  findManifest(grant: Grant, reference: string): Promise<Manifest | undefined>;
  findBlob(grant: Grant, digest: string): Promise<Blob | undefined>;
  /** Also opens the blobs that `findBlob` returns. */
  blobs: Blobs;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

interface Tools extends PullThroughOptions {
  flights: SingleFlight;
  asked: ReturnType<typeof createAskedTags>;
  /** Blobs that are being fetched. */
  coming: Map<string, ComingBlob>;
  live: WeakMap<Blob, LiveBlob>;
}

export function createPullThrough(options: PullThroughOptions): PullThrough {
  const tools: Tools = {
    ...options,
    flights: createSingleFlight(),
    asked: createAskedTags(options.parts.clock),
    coming: new Map(),
    live: new WeakMap(),
  };
  const { blobs } = options;
  return {
    findManifest: (grant, reference) =>
      isTag(reference) ? findTag(tools, grant, reference) : findByDigest(tools, grant, reference),
    findBlob: (grant, digest) => findBlob(tools, grant, digest),
    blobs: {
      ...blobs,
      open: (blob) => Promise.resolve(tools.live.get(blob)?.open() ?? blobs.open(blob)),
    },
    settled: tools.flights.settled,
  };
}

async function findByDigest(tools: Tools, grant: Grant, digest: string): Promise<Manifest | undefined> {
  const found = await tools.kept.manifests.find(grant, digest);
  if (found || algorithmOf(digest) === null) return found;
  return fetching(tools, grant, { key: digest }, (upstream, path) =>
    fetchManifest(
      grant,
      (awaitRoom) => upstream.manifest(path, digest, awaitRoom),
      (manifest) => keepManifest(tools, grant, { reference: digest, ...manifest }),
    ),
  );
}

async function findTag(tools: Tools, grant: Grant, tag: string): Promise<Manifest | undefined> {
  const { asked, parts } = tools;
  const { host } = sourceOf(grant.repository);
  const key = `${grant.repository.id} ${tag}`;
  const found = await tools.kept.manifests.find(grant, tag);
  if (found && asked.isFresh(host, key)) return found;
  const coming = fetching(tools, grant, { key: tag }, async (upstream, path) => {
    const manifest = await askForTag(tools, grant, { upstream, path, tag, found });
    asked.answered(host, key);
    return manifest;
  });
  if (!found) return coming;
  const isStale = await isLate(coming, tools.staleAfterMs ?? STALE_AFTER_MS);
  if (!isStale) return coming;
  asked.failed(host);
  parts.log.warn(`${host} does not respond. Serving an older image.`, {
    image: `${grant.repository.name}:${tag}`,
    reason: isStale.reason,
  });
  return found;
}

interface AskedTag {
  upstream: Upstream;
  path: string;
  tag: string;
  found: Manifest | undefined;
}

async function askForTag(
  tools: Tools,
  grant: Grant,
  { upstream, path, tag, found }: AskedTag,
): Promise<Manifest> {
  const digest = found && (await upstream.digestOf(path, tag));
  if (found && digest === found.digest) {
    await touchManifest(tools.parts, grant, digest);
    return found;
  }
  // The tag may move between the two requests, perhaps to a manifest that is stored.
  const known = digest === undefined ? undefined : await tools.kept.manifests.find(grant, digest);
  const keep = (manifest: UpstreamManifest) =>
    keepManifest(tools, grant, { reference: tag, expected: digest, ...manifest });
  if (known) return keep(known);
  return fetchManifest(grant, (awaitRoom) => upstream.manifest(path, digest ?? tag, awaitRoom), keep);
}

/** @returns why the stored manifest must do; null: use what `coming` returns */
async function isLate(coming: Promise<unknown>, ms: number): Promise<{ reason: string } | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ reason: string }>((resolve) => {
    timer = setTimeout(() => resolve({ reason: `it took more than ${ms / 1000} seconds` }), ms);
  });
  const answered = coming.then(
    () => null,
    (error: unknown) => (isAway(error) ? { reason: error.message } : null),
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface FetchedManifest extends UpstreamManifest {
  reference: string;
  expected?: string | undefined;
}

async function keepManifest(
  { kept, onKept }: Tools,
  grant: Grant,
  { reference, expected, mediaType, bytes }: FetchedManifest,
): Promise<Manifest> {
  // By digest first, so that it is compared; then the tag moves.
  if (expected !== undefined)
    await kept.manifests.put(grant, { reference: expected, mediaType, bytes }).catch(asWrong);
  const { digest } = await kept.manifests.put(grant, { reference, mediaType, bytes }).catch(asWrong);
  onKept(bytes.length);
  return { digest, mediaType, bytes };
}

async function findBlob(tools: Tools, grant: Grant, digest: string): Promise<Blob | undefined> {
  const { kept, coming } = tools;
  const found = await kept.repositoryBlobs.find(grant, digest);
  if (found || algorithmOf(digest) === null) return found;
  const key = `${grant.repository.id} ${digest}`;
  let begun = coming.get(key);
  if (!begun) {
    begun = fetchBlob(tools, grant, digest);
    coming.set(key, begun);
    const forget = () => void coming.delete(key);
    begun.stored.then(forget, forget);
  }
  const live = await begun.live;
  if (!live) return kept.repositoryBlobs.find(grant, digest);
  tools.live.set(live.blob, live);
  return live.blob;
}

interface ComingBlob {
  /** Resolves when the upstream has begun to answer; null: it is stored. */
  live: Promise<LiveBlob | null>;
  stored: Promise<unknown>;
}

function fetchBlob(tools: Tools, grant: Grant, digest: string): ComingBlob {
  const { kept, onKept, blobs } = tools;
  const { promise, resolve, reject } = Promise.withResolvers<LiveBlob | null>();
  const openStored = async () => {
    const blob = await kept.repositoryBlobs.find(grant, digest);
    if (!blob) throw new MissingBytesError(`The blob ${digest} has gone.`);
    return blobs.open(blob);
  };
  const stored = fetching(tools, grant, { key: `blob ${digest}` }, async (upstream, path) => {
    const blob = await upstream.blob(path, digest);
    const { size } = blob;
    const live = size === undefined ? null : createLiveBlob({ digest, size, stored, openStored });
    if (live) resolve(live);
    const read = (take: (pieces: readonly Uint8Array[]) => Promise<void>) =>
      blob.read(async (piece) => {
        await take([piece]);
        live?.write(piece);
      });
    const chunk = { read, ...(size !== undefined && { size }) };
    try {
      await kept.uploads.put(grant, { digest, chunk }).catch(asWrong);
      onKept(size ?? 0);
    } finally {
      blob.close();
      live?.end();
    }
  });
  stored.then(() => resolve(null), reject);
  promise.catch(() => {});
  return { live: promise, stored };
}

/** Once for all concurrent callers. Errors are reported in this registry's form. */
function fetching<Result>(
  { flights, upstreamOf }: Tools,
  grant: Grant,
  { key }: { key: string },
  fetch: (upstream: Upstream, path: string) => Promise<Result>,
): Promise<Result> {
  const { host, path } = sourceOf(grant.repository);
  return flights.run(`${grant.repository.id} ${key}`, async () => {
    try {
      return await fetch(await upstreamOf(grant), path);
    } catch (error) {
      throw error instanceof UpstreamError ? toAnswer(error, host, key) : error;
    }
  });
}
