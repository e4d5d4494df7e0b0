/**
 * 1. Large manifests of other registries share a limited memory: one organization has a share of it, small ones pass, and each
 *    that is stored lets the next one in.
 * 2. The room is requested before the bytes are read; without it, no request is left waiting for them.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Actor } from "#accounts/index.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { MANIFEST_ROOM_BYTES, MAX_MANIFEST_BYTES } from "../../contract/limits.ts";
import type { Grant } from "../../contract/registry.ts";
import { fetchManifest } from "./fetch-manifest.ts";
import { createUpstream } from "../upstream/upstream.ts";

const grantOf = (organizationId: string): Grant => {
  const actor = { organizationId } as Actor;
  return { actor, right: "pull", repository: {} as Grant["repository"] };
};

test("1. many at once", async () => {
  let reading = 0;
  const kept: PromiseWithResolvers<void>[] = [];
  const fetch = (organizationId: string, bytes: number) => {
    const isKept = Promise.withResolvers<void>();
    return fetchManifest(
      grantOf(organizationId),
      async (awaitRoom) => {
        await awaitRoom(bytes);
        reading += 1;
        kept.push(isKept);
        return { mediaType: "a/b", bytes: new Uint8Array(0) };
      },
      () => isKept.promise,
    );
  };
  const share = MANIFEST_ROOM_BYTES / 4 / MAX_MANIFEST_BYTES;
  const mine = Array.from({ length: share + 3 }, () => fetch("mine", MAX_MANIFEST_BYTES));
  await vi.waitUntil(() => reading === share, { interval: 1 });
  const others = [fetch("mine", 5_000), fetch("other", MAX_MANIFEST_BYTES)];
  await vi.waitUntil(() => reading === share + 2, { interval: 1 });
  kept[0]!.resolve();
  await vi.waitUntil(() => reading === share + 3, { interval: 1 });
  const keepAll = () => kept.forEach((each) => each.resolve());
  await vi.waitUntil(() => (keepAll(), reading === share + 5), { interval: 1 });
  keepAll();
  await Promise.all([...mine, ...others]);
});

test("2. before the bytes", async () => {
  let answer: ServerResponse | undefined;
  const server = createServer((_, response) => {
    answer = response;
    response.writeHead(200, { "content-type": "a/b", "content-length": 100_000 }).flushHeaders();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream = createUpstream({
    host: { name: "up.test", origin, isListed: true },
    credentials: null,
    reach: { listed: new Set([origin]), resolve: undefined, silentMs: undefined },
    clock: Date.now,
    closing: new AbortController().signal,
  });
  const rooms: number[] = [];
  const { bytes } = await upstream.manifest("acme/web", "1", (wanted) => {
    rooms.push(wanted);
    answer?.end(Buffer.alloc(100_000, "{"));
    return Promise.resolve();
  });
  expect([bytes.length, rooms]).toEqual([100_000, [100_000]]);
  const full = new Error("full");
  const refused = upstream.manifest("acme/web", "2", () => Promise.reject(full));
  await expect(refused).rejects.toBe(full);
  await once(answer!, "close");
});
