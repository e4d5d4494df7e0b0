/** `/manifests/<reference>`, `/tags/list`, `/referrers/<digest>` */
import { isLost } from "#platform/blobs/read-blob.ts";
import { createMessageRoom, type Place } from "#platform/grpc/message-room.ts";
import { chargeBytes } from "#platform/fair/work-gate.ts";
import { type Headers, sendEmpty, sendText, writeHead } from "#platform/http/node/answer.ts";
import { holdAnswer } from "#platform/grpc/hold-answer.ts";
import { readWhole } from "#platform/http/node/read-whole.ts";
import { hasTag, sendHead, sendPart } from "#platform/http/node/send-content.ts";
import {
  MANIFEST_ROOM_BYTES,
  MANIFEST_WAIT_MS,
  MAX_MANIFEST_BYTES,
  REFERRERS_ANSWER_BYTES,
  WHOLE_MANIFEST_BYTES,
} from "../contract/limits.ts";
import { looksLikeDigest, algorithmOf, isTag } from "../contract/names.ts";
import { tooLarge } from "../manifests/put.ts";
import type { Manifest } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryCall, RegistryRoute } from "./call.ts";

const bodies = createMessageRoom({ bytes: MANIFEST_ROOM_BYTES, waitMs: MANIFEST_WAIT_MS });

const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";

export const manifestRoutes: readonly RegistryRoute[] = [
  {
    path: /^\/manifests\/(.+)$/,
    example: "/manifests/latest",
    methods: {
      GET: { right: "pull", answer: answerManifest },
      PUT: { right: "push", answer: putManifest },
      DELETE: { right: "push", answer: deleteManifest },
    },
  },
  {
    path: /^\/tags\/list$/,
    example: "/tags/list",
    methods: { GET: { right: "pull", answer: answerTags } },
  },
  {
    path: /^\/referrers\/(.+)$/,
    example: `/referrers/sha256:${"0".repeat(64)}`,
    methods: { GET: { right: "pull", answer: answerReferrers } },
  },
];

async function answerManifest(call: RegistryCall, written = ""): Promise<void> {
  const { registry, grant, request } = call;
  const reference = decode(written);
  const manifest = await registry.manifests.find(grant, reference);
  if (!manifest) throw unknown(call, reference);
  call.outcome = "pulled";
  const etag = `"${manifest.digest}"`;
  if (hasTag(request.headers["if-none-match"], etag))
    return sendEmpty(call, 304, { etag, "docker-content-digest": manifest.digest });
  const head = {
    ...call.headers,
    "content-type": manifest.mediaType,
    "content-length": manifest.bytes.length,
    "docker-content-digest": manifest.digest,
    etag,
  };
  if (request.method === "HEAD") return sendHead(call, { head, status: 200 });
  registry.manifests.countPull(grant, manifest);
  if (manifest.bytes.length > WHOLE_MANIFEST_BYTES) return sendLarge(call, manifest, head);
  call.sentBytes += manifest.bytes.length;
  if (call.holder !== undefined) chargeBytes(call.holder, manifest.bytes.length);
  writeHead(call.response, 200, head);
  // Both responses have `end`, with overloads that TypeScript cannot unify.
  (call.response as { end: (bytes: Uint8Array) => unknown }).end(manifest.bytes);
}

/** As fast as the client reads: one that reads nothing must not make the server hold all of it. */
async function sendLarge(
  call: RegistryCall,
  { digest, bytes: { length: end } }: Manifest,
  head: Headers,
): Promise<void> {
  const { blobs } = call.registry;
  try {
    const blob = await blobs.find(digest);
    if (!blob) throw unknown(call, digest);
    await sendPart(call, blob, { start: 0, end, status: 200, head }, () => blobs.open(blob));
  } catch (error) {
    if (isLost(error) && call.sentBytes === 0) throw unknown(call, digest);
    throw error;
  }
}

async function putManifest(call: RegistryCall, written = ""): Promise<void> {
  const { registry, grant, request, query, base } = call;
  const reference = decode(written);
  const isDigest = reference.includes(":");
  const tags = isDigest ? query.getAll("tag") : [];
  const { digest, subject } = await withBody(call, (bytes) =>
    registry.manifests.put(grant, {
      reference,
      mediaType: request.headers["content-type"] ?? "",
      bytes,
      tags,
    }),
  );
  call.outcome = "pushed";
  // The push is done, whatever happens now.
  const warning = await registry.warning(grant).catch(() => "");
  sendEmpty(call, 201, {
    location: `${base}/manifests/${digest}`,
    "docker-content-digest": digest,
    ...(subject !== "" && { "oci-subject": subject }),
    // As version 1.2 of the specification will have it; it is the only way to tag a manifest with another algorithm.
    ...(tags.length > 0 && { "oci-tag": tags.join(", ") }),
    // As the specification words it: the code 299, no name of the server, and a text.
    ...(warning !== "" && { warning: `299 - "${warning}"` }),
  });
}

/** @throws NoRoomError when too many other callers send large manifests */
async function withBody<Result>(
  call: RegistryCall,
  use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  const { request, grant } = call;
  const length = Number(request.headers["content-length"] ?? MAX_MANIFEST_BYTES);
  if (length > MAX_MANIFEST_BYTES) throw tooLarge();
  const place = bodies.take(grant.repository.organizationId, length);
  try {
    if (place.ready) await place.ready;
    const bytes = await readWhole(call, {
      maxBytes: MAX_MANIFEST_BYTES,
      tooLarge,
      onBytes: (more) => void (call.receivedBytes += more),
    });
    return await use(bytes);
  } finally {
    place.release();
  }
}

async function deleteManifest(call: RegistryCall, written = ""): Promise<void> {
  const reference = decode(written);
  if (!(await call.registry.manifests.remove(call.grant, reference))) throw unknown(call, reference);
  call.outcome = "deleted";
  sendEmpty(call, 202);
}

async function answerTags(call: RegistryCall): Promise<void> {
  const { registry, grant, query, base } = call;
  const n = query.get("n");
  if (n !== null && !/^\d{1,15}$/.test(n))
    throw new RegistryError("UNSUPPORTED", "n must be a number of tags, from 0", { status: 400 });
  const last = query.get("last") ?? "";
  if (last !== "" && !isTag(last))
    throw new RegistryError("UNSUPPORTED", "last must be the last tag of the previous response", {
      status: 400,
    });
  const limit = n === null ? undefined : Number(n);
  const { items, hasMore } = await registry.manifests.listTags(grant, { limit, last });
  const next = new URLSearchParams({ ...(n !== null && { n }), last: items.at(-1) ?? "" });
  sendText(call, JSON.stringify({ name: grant.repository.name, tags: items }), {
    status: 200,
    type: "application/json",
    more: hasMore ? { link: `<${base}/tags/list?${next}>; rel="next"` } : {},
  });
}

async function answerReferrers(call: RegistryCall, written = ""): Promise<void> {
  const { registry, grant, query, base } = call;
  const digest = decode(written);
  const last = query.get("last") ?? "";
  for (const each of last === "" ? [digest] : [digest, last])
    if (!looksLikeDigest(each) || (/^sha(?:256|512):/.test(each) && !algorithmOf(each)))
      throw new RegistryError(
        "DIGEST_INVALID",
        `${each.slice(0, 200)} is not a digest; it must be an algorithm and the hash, sha256:…`,
      );
  const artifactType = query.get("artifactType") ?? undefined;
  let place: Pick<Place, "shrink"> | undefined;
  const awaitRoom = async () => (place = await holdAnswer(call, roomFor(call)));
  const question = { digest, artifactType, last, awaitRoom };
  const { items, hasMore } = await registry.manifests.listReferrers(grant, question);
  const next = new URLSearchParams({
    ...(artifactType && { artifactType }),
    last: items.at(-1)?.digest ?? "",
  });
  const text = JSON.stringify({ schemaVersion: 2, mediaType: INDEX_TYPE, manifests: items });
  place?.shrink(Buffer.byteLength(text));
  sendText(call, text, {
    status: 200,
    type: INDEX_TYPE,
    more: {
      ...(artifactType !== undefined && { "oci-filters-applied": "artifactType" }),
      ...(hasMore && { link: `<${base}/referrers/${digest}?${next}>; rel="next"` }),
    },
  });
}

const roomFor = ({ grant: { actor, repository }, answers }: RegistryCall) => ({
  // Pulled-through content has no owner.
  holder: repository.organizationId || actor.organizationId || "",
  bytes: REFERRERS_ANSWER_BYTES,
  room: answers,
});

/** Some clients write `sha256%3A…`. */
function decode(written: string): string {
  if (!written.includes("%")) return written;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function unknown({ grant }: RegistryCall, reference: string): RegistryError {
  const name = `${grant.repository.name}${reference.includes(":") ? "@" : ":"}${reference.slice(0, 200)}`;
  return new RegistryError(
    "MANIFEST_UNKNOWN",
    `${name} was not found; millrace images list shows which images exist, and a saved build without a tag expires`,
    { detail: { reference: reference.slice(0, 200) } },
  );
}
