/** GET and PUT of entries, over HTTP. */
import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { openHttp } from "./http-client.ts";
import { type Figures, measure } from "./measure.ts";
import { type Peer, TOKEN } from "./peers.ts";

/** A peer's address for an entry, and its status codes. */
export interface Addresses {
  path: (key: string) => string;
  headers: Readonly<Record<string, string>>;
}

const authorization = { authorization: `Bearer ${TOKEN}` };
export const ADDRESSES: Readonly<Record<string, Addresses>> = {
  gradle: { path: (key) => `/cache/gradle/${key}`, headers: authorization },
  bazel: { path: (key) => `/cache/bazel/ac/${key.padStart(64, "0")}`, headers: authorization },
  turbo: { path: (key) => `/cache/turbo/v8/artifacts/${key}`, headers: authorization },
  nginx: { path: (key) => `/${key}`, headers: {} },
  turboPeer: {
    path: (key) => `/v8/artifacts/${key}?slug=acme`,
    headers: { ...authorization, "content-type": "application/octet-stream" },
  },
};

export interface HttpRun {
  peer: Peer;
  addresses: Addresses;
  bytes: number;
  connections: number;
  seconds: number;
  /** Also waits until the file is on the disk, where the peer does not do so itself. */
  isSynced?: boolean;
}

const OK = [200, 201, 202, 204];
let last = 0;
const newKey = () => {
  last += 1;
  return `${last.toString(16).padStart(8, "0")}${randomBytes(12).toString("hex")}`;
};

export async function measurePut({ peer, addresses, bytes, connections, seconds, isSynced }: HttpRun) {
  return measure({ pid: peer.pid, connections, seconds }, async () => {
    const client = await openHttp(peer.port);
    const body = randomBytes(bytes);
    const send = async () => {
      const key = newKey();
      // Different content each time: equal content would be stored once.
      body.write(key, 0, "latin1");
      const { path, headers } = addresses;
      const sent = await client.send({ method: "PUT", path: path(key), headers, body, expected: OK });
      if (isSynced) await sync(join(peer.folder, key));
      return sent;
    };
    return { send, close: client.close };
  });
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

const ENTRIES = 64;

/** Reads some entries in turn; 0 bytes: entries that do not exist. */
export async function measureGet({
  peer,
  addresses,
  bytes,
  connections,
  seconds,
}: HttpRun): Promise<Figures> {
  const keys = Array.from({ length: bytes > 10_000_000 ? 2 : ENTRIES }, newKey);
  const writer = await openHttp(peer.port);
  const { path, headers } = addresses;
  for (const key of bytes === 0 ? [] : keys)
    await writer.send({ method: "PUT", path: path(key), headers, body: randomBytes(bytes), expected: OK });
  writer.close();
  return measure({ pid: peer.pid, connections, seconds }, async (index) => {
    const client = await openHttp(peer.port);
    let next = index;
    const send = () => {
      next += 1;
      // A miss on a new key costs a look-up in the index.
      const key = bytes === 0 ? randomBytes(32).toString("hex") : (keys[next % keys.length] ?? "");
      return client.send({ method: "GET", path: path(key), headers, expected: [bytes === 0 ? 404 : 200] });
    };
    return { send, close: client.close };
  });
}
