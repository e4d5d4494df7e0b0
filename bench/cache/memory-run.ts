/** Memory used by 256 readers of one entry of 1 GB and 16 writers of 2 MB at the same time. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openHttp } from "./http-client.ts";
import { ADDRESSES, measurePut } from "./http-runs.ts";
import { memoryOf } from "./measure.ts";
import { type Peer, TOKEN } from "./peers.ts";

const ENTRY_BYTES = 1_000_000_000;
const READERS = 256;
const WRITERS = 16;
const WRITTEN_BYTES = 2_000_000;

export async function measureMemory(peer: Peer, seconds: number) {
  const addresses = ADDRESSES["gradle"]!;
  const path = addresses.path("f".repeat(32));
  const writer = await openHttp(peer.port);
  const body = Buffer.alloc(ENTRY_BYTES, randomBytes(1_000_003));
  await writer.send({ method: "PUT", path, headers: addresses.headers, body, expected: [200, 201] });
  writer.close();
  const before = memoryOf(peer.pid);
  let readBytes = 0;
  const readers = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const socket = connect(peer.port, "127.0.0.1");
      await once(socket, "connect");
      socket.on("data", (chunk: Buffer) => (readBytes += chunk.length)).on("error", () => {});
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
      return socket;
    }),
  );
  let peak = 0;
  const state = { isOver: false };
  const sampling = (async () => {
    while (!state.isOver) {
      peak = Math.max(peak, memoryOf(peer.pid));
      await sleep(100);
    }
  })();
  const put = await measurePut({ peer, addresses, bytes: WRITTEN_BYTES, connections: WRITERS, seconds });
  state.isOver = true;
  await sampling;
  for (const socket of readers) socket.destroy();
  return { before, peak, readBytes, writtenBytes: put.requests * WRITTEN_BYTES };
}
