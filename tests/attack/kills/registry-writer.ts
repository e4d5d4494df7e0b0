/** Pushes images as fast as it can, and reports each acknowledged blob and tag over IPC, until it is killed. */
import { createHash } from "node:crypto";
import { type Acknowledged, REMOVED_EACH, TAGS_OF_EACH } from "./registry-acknowledged.ts";
import { openKillRegistry } from "./registry-place.ts";

const WRITERS = 6;
const MAX_BYTES = 200_000;
const IMAGE = "application/vnd.oci.image.manifest.v1+json";

const [dataDir = "", startAt = "0"] = process.argv.slice(2);
const { registry, collector, grant } = await openKillRegistry(dataDir);
const { uploads, manifests } = registry;

const digestOf = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const tell = (acknowledged: Acknowledged) => void process.send?.(acknowledged);
const chunk = (bytes: Buffer, start?: number) => ({
  read: (take: (pieces: readonly Uint8Array[]) => Promise<void>) => take([bytes]),
  ...(start !== undefined && { start }),
});

/** In one request or in three, as clients do. */
async function pushBlob(bytes: Buffer, isChunked: boolean) {
  const digest = digestOf(bytes);
  if (isChunked) {
    const { id } = await uploads.begin(grant);
    const third = Math.floor(bytes.length / 3);
    await uploads.append(grant, id, chunk(bytes.subarray(0, third), 0));
    await uploads.append(grant, id, chunk(bytes.subarray(third, third * 2), third));
    await uploads.finish(grant, id, { digest, chunk: chunk(bytes.subarray(third * 2), third * 2) });
  } else await uploads.put(grant, { digest, chunk: chunk(bytes) });
  tell({ kind: "blob", digest });
  return { digest, size: bytes.length, mediaType: "application/octet-stream" };
}

/** Each tag has one writer, whose numbers only rise. Layers identify themselves, and many are the same. */
async function writeForEver(writer: number): Promise<void> {
  for (let number = Number(startAt); ; number++) {
    const tag = `t-${writer}-${number % TAGS_OF_EACH}`;
    const hash = createHash("sha256")
      .update(`${writer % 3} ${number}`)
      .digest();
    const size = 16 + ((hash.readUInt16BE() * 7) % MAX_BYTES);
    const layer = await pushBlob(Buffer.alloc(size, hash), number % 2 === 0);
    const config = await pushBlob(Buffer.from(JSON.stringify({ writer, number })), number % 3 === 0);
    const annotations = { number: String(number) };
    const manifest = { schemaVersion: 2, mediaType: IMAGE, config, layers: [layer], annotations };
    const bytes = Buffer.from(JSON.stringify(manifest));
    await manifests.put(grant, { reference: tag, mediaType: IMAGE, bytes });
    tell({ kind: "tag", tag, number });
    if (number % REMOVED_EACH === 0) {
      const isWhole = number % 2 === 0;
      await manifests.remove(grant, isWhole ? digestOf(bytes) : tag);
      tell({ kind: "removed", tag, number });
    }
    if (number % 20 === 0) {
      await registry.sweep();
      await collector.collect();
    }
  }
}

process.once("disconnect", () => process.exit());
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeForEver(writer)));
