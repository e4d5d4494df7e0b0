/**
 * 1. Each blob of an organization counts once, in however many repositories it is; received bytes of uploads also count.
 * 2. A push that does not fit is refused with the bytes used and allowed, before its body or while it arrives, and stores
 *    nothing. After a delete there is room immediately.
 * 3. Within a minute nothing is counted again; another replica's changes are seen after it, or after some seconds where there
 *    is little room left.
 * 4. Other organizations have their own quotas.
 * 5. Bytes that arrive in several requests at the same time never exceed the room together; a request that is cut off gives its
 *    bytes back.
 * 6. From nine tenths of the quota on, each push is answered with a warning that says how much is left and what to do.
 */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { connectRaw } from "#platform/http/raw-client.ts";
import { COUNTED_MS, NEAR_COUNTED_MS, RECOUNT_MS } from "../contract/limits.ts";
import { createQuota } from "./quota.ts";
import { digestOf, openTestClient } from "../testing/client.ts";

const QUOTA = 1_000_000;
const UPLOADS = "/v2/acme/web/blobs/uploads/";

async function open(kind: (typeof testDatabaseKinds)[number]) {
  const time = { now: Date.now() };
  const clock = () => time.now;
  const client = await openTestClient(kind, { quotaBytes: QUOTA, clock });
  onTestFinished(client.close);
  const used = () => {
    const { database } = client.test;
    return createQuota({ database, clock, quotaBytes: QUOTA, log: consoleLog }).used(client.organizationId);
  };
  const post = (body: Uint8Array, { repository = "acme/web", token = client.tokens.organization } = {}) =>
    client.ask("POST", `/v2/${repository}/blobs/uploads/?digest=${digestOf(body)}`, { body, token });
  return { ...client, time, used, post };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. what counts", async () => {
    const { ask, used, post } = await open(kind);
    const [first, second] = [randomBytes(300_000), randomBytes(100_000)];
    for (const repository of ["acme/web", "acme/api", "acme/web"]) await post(first, { repository });
    expect(await used()).toBe(300_000);
    await post(second);
    expect(await used()).toBe(400_000);
    const begun = await ask("POST", UPLOADS);
    const to = String(begun.headers["location"]);
    await ask("PATCH", to, { body: randomBytes(50_000) });
    expect(await used()).toBe(450_000);
    await ask("DELETE", to);
    await ask("DELETE", `/v2/acme/web/blobs/${digestOf(first)}`);
    expect(await used()).toBe(400_000);
    await ask("DELETE", `/v2/acme/api/blobs/${digestOf(first)}`);
    expect(await used()).toBe(100_000);
  });

  test("2. what does not fit", async () => {
    const { ask, used, post, files, time, tokens, test } = await open(kind);
    const first = randomBytes(600_000);
    expect((await post(first)).status).toBe(201);
    const second = randomBytes(400_001);
    const refused = await post(second);
    expect([refused.status, refused.code]).toEqual([403, "DENIED"]);
    expect(refused.text).toMatch(
      /600 kB of their quota of 1 MB .* needs 400 kB; delete images .* MILLRACE_IMAGE_QUOTA/,
    );
    // A client need not send a body that is refused.
    const head = `POST ${UPLOADS}?digest=${digestOf(second)} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n`;
    const waiting = await connectRaw(
      Number(new URL(test.url).port),
      `${head}Authorization: Bearer ${tokens.organization}\r\nContent-Length: 400001\r\n\r\n`,
    );
    expect(await waiting.until("MILLRACE_IMAGE_QUOTA")).toContain("403 Forbidden");
    waiting.socket.destroy();
    const to = String((await ask("POST", UPLOADS)).headers["location"]);
    const chunked = { body: second, headers: { "transfer-encoding": "chunked" } };
    for (const method of ["PATCH", "PUT"])
      expect((await ask(method, `${to}?digest=${digestOf(second)}`, chunked)).code).toBe("DENIED");
    expect([await used(), files().length]).toEqual([600_000, 1]);
    expect((await ask("PATCH", to, { body: second.subarray(1) })).status).toBe(202);
    // Full: an upload cannot even begin.
    expect((await ask("POST", UPLOADS)).code).toBe("DENIED");
    expect((await ask("DELETE", to)).status).toBe(204);
    await ask("DELETE", `/v2/acme/web/blobs/${digestOf(first)}`);
    time.now += RECOUNT_MS;
    expect((await post(second)).status).toBe(201);
  });

  test("3. remembered", async () => {
    const { organizationId, time, post, test, projects } = await open(kind);
    await post(randomBytes(1_000));
    const { database } = test;
    const quota = createQuota({ database, clock: () => time.now, quotaBytes: QUOTA, log: consoleLog });
    expect(await quota.used(organizationId)).toBe(1_000);
    // A change by another replica.
    await database.db
      .insertInto("registry_blobs")
      .values({ repository_id: projects.web, digest: digestOf("x"), size: 500, used_at: 0 })
      .execute();
    quota.add(organizationId, 70);
    time.now += COUNTED_MS;
    expect(await quota.used(organizationId)).toBe(1_070);
    time.now += 1;
    await vi.waitFor(async () => expect(await quota.used(organizationId)).toBe(1_500));
    expect(await quota.room(organizationId)).toBe(QUOTA - 1_500);
    expect(await quota.room("")).toBe(Number.POSITIVE_INFINITY);
  });

  test("3. what another server has taken when little is left", async () => {
    const { post, time, test: here, organizationId } = await open(kind);
    expect((await post(randomBytes(850_000))).status).toBe(201);
    const { database } = here;
    const other = createQuota({ database, clock: () => time.now, quotaBytes: QUOTA, log: consoleLog });
    expect(await other.room(organizationId)).toBe(150_000);
    expect((await post(randomBytes(100_000))).status).toBe(201);
    time.now += NEAR_COUNTED_MS - 1;
    expect(await other.room(organizationId, 60_000)).toBe(150_000);
    time.now += 1;
    // Far from the limit nothing is counted again.
    expect(await other.room(organizationId, 1)).toBe(150_000);
    await expect(other.room(organizationId, 60_000)).rejects.toThrow("950 kB of their quota of 1 MB");
    expect(await other.room(organizationId, 50_000)).toBe(50_000);
  });

  test("4. of each organization", async () => {
    const { post, tokens } = await open(kind);
    const full = randomBytes(QUOTA);
    expect((await post(full)).status).toBe(201);
    expect((await post(randomBytes(1))).code).toBe("DENIED");
    const elsewhere = { repository: "evil/loot", token: tokens.stranger };
    expect((await post(randomBytes(1), elsewhere)).status).toBe(201);
    expect((await post(full, elsewhere)).code).toBe("DENIED");
  });

  test("5. at once", async () => {
    const { ask, tokens, test: opened, files } = await open(kind);
    const sendSome = async () => {
      const to = String((await ask("POST", UPLOADS)).headers["location"]);
      const sender = await connectRaw(
        Number(new URL(opened.url).port),
        `PATCH ${to} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokens.organization}\r\n` +
          `Transfer-Encoding: chunked\r\n\r\n${(400_000).toString(16)}\r\n`,
      );
      onTestFinished(() => void sender.socket.destroy());
      sender.socket.write(Buffer.alloc(400_000));
      return sender;
    };
    const keptBytes = () => files().reduce((sum, file) => sum + statSync(file).size, 0);
    const [first] = [await sendSome(), await sendSome()];
    await vi.waitFor(() => expect(keptBytes()).toBe(800_000));
    const third = await sendSome();
    expect(await third.until("MILLRACE_IMAGE_QUOTA")).toContain("403 Forbidden");
    expect(keptBytes()).toBeLessThanOrEqual(QUOTA);
    first.socket.destroy();
    await vi.waitFor(() => expect(keptBytes()).toBe(400_000));
    await sendSome();
    await vi.waitFor(() => expect(keptBytes()).toBe(800_000));
  });

  test("6. a warning", async () => {
    const { ask, post } = await open(kind);
    const push = async () => {
      const body = JSON.stringify({ schemaVersion: 2, mediaType: "application/vnd.example" });
      const headers = { "content-type": "application/vnd.example" };
      const { status, headers: answered } = await ask("PUT", "/v2/acme/web/manifests/latest", {
        body,
        headers,
      });
      expect(status).toBe(201);
      return answered["warning"];
    };
    await post(randomBytes(890_000));
    expect(await push()).toBeUndefined();
    await post(randomBytes(60_000));
    expect(await push()).toBe(
      `299 - "the organization's images use 950 kB of their quota of 1 MB; delete images that no one needs, or ask the operator of the server to raise MILLRACE_IMAGE_QUOTA"`,
    );
  });
});
