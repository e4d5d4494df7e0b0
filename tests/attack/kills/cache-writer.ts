/** Writes entries as fast as it can, and reports each acknowledged entry over IPC, until it is killed. */
import { createHash } from "node:crypto";
import { openKillCache } from "./cache-place.ts";

const WRITERS = 6;
const KEYS_OF_EACH = 5;
const MAX_BYTES = 60_000;

const [dataDir = "", startAt = "0"] = process.argv.slice(2);
const { cache, collector, grant } = await openKillCache(dataDir);

/** Each key has one writer, whose numbers only rise. The bytes identify the entry, and many are the same. */
async function writeForEver(writer: number): Promise<void> {
  for (let number = Number(startAt); ; number++) {
    const key = `cas/${writer}-${number % KEYS_OF_EACH}`;
    const hash = createHash("sha256")
      .update(`${writer % 3} ${number}`)
      .digest();
    const content = Buffer.alloc(16 + (hash.readUInt16BE() % MAX_BYTES), hash);
    const upload = cache.receive(grant);
    await upload.write(content);
    await cache.put(grant, key, await upload.finish(), String(number));
    process.send?.({ key, number });
    if (number % 20 === 0) await collector.collect();
  }
}

process.once("disconnect", () => process.exit());
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeForEver(writer)));
