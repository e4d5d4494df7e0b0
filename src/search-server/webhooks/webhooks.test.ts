/**
 * 1. A webhook is made, read, changed and deleted; its headers are shown in part, and a change keeps those that it does not name.
 * 2. It gets every finished task, as compressed lines of JSON with its headers: also canceled ones, one call for each batch.
 * 3. Private addresses are refused, when they are written and when a name leads to them; so are http:, passwords, headers of the
 *    connection, and more than each limit. Origins that the operator lists are allowed.
 * 4. Webhooks survive a restart. Their file has no header in clear text, and with a different master key they are put aside.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSearchStore } from "../catalog/store.ts";
import { MAX_WEBHOOKS } from "../protocol/limits.ts";
import { startAdmin } from "../testing/admin.ts";
import { startWebhookReceiver, taskForWebhook } from "../testing/webhook-receiver.ts";
import { createWebhooks } from "./webhooks.ts";

const receiver = await startWebhookReceiver();
const { origin, received, tasksOf } = receiver;
afterAll(() => receiver.close());

let admin: Awaited<ReturnType<typeof startAdmin>>;
beforeEach(async () => {
  receiver.reset();
  admin = await startAdmin({ webhookOrigins: [origin] });
});
afterEach(() => admin.close());

const create = (body: object) => admin.ask("POST", "/webhooks", body);

test("1. made, read, changed, deleted", async () => {
  const made = await create({
    url: "https://example.com/a",
    headers: { Authorization: "Bearer 0123456789", "X-One": "1" },
  });
  expect(made).toMatchObject({
    status: 201,
    json: {
      url: "https://example.com/a",
      isEditable: true,
      headers: { authorization: "BeXXXX...", "x-one": "XXX..." },
    },
  });
  const path = `/webhooks/${String(made.json["uuid"])}`;
  expect((await admin.ask("GET", path)).json).toEqual(made.json);
  expect((await admin.ask("GET", "/webhooks")).json).toEqual({ results: [made.json] });
  const changed = await admin.ask("PATCH", path, {
    url: "https://example.com/b",
    headers: { "x-one": null, "x-two": "2" },
  });
  expect(changed.json).toMatchObject({
    url: "https://example.com/b",
    headers: { authorization: "BeXXXX...", "x-two": "XXX..." },
  });
  expect(changed.json["headers"]).not.toHaveProperty("x-one");
  expect((await admin.ask("DELETE", path)).status).toBe(204);
  expect(await admin.ask("GET", path)).toMatchObject({ status: 404, json: { code: "webhook_not_found" } });
});

test("2. finished tasks", async () => {
  await create({ url: `${origin}/hook?secret=1`, headers: { authorization: "Bearer secret" } });
  await admin.done(admin.ask("POST", "/indexes", { uid: "told" }));
  await admin.done(admin.ask("POST", "/indexes/told/documents", [{ title: "without an id" }]));
  await vi.waitFor(() => expect(received).toHaveLength(2));
  expect(received[0]?.headers).toMatchObject({
    authorization: "Bearer secret",
    "content-type": "application/x-ndjson",
    "content-encoding": "gzip",
  });
  expect(tasksOf()).toMatchObject([
    { uid: 0, type: "indexCreation", status: "succeeded", indexUid: "told" },
    { uid: 1, type: "documentAdditionOrUpdate", status: "failed" },
  ]);
});

const refusedUrls: [url: unknown, code: string][] = [
  ["http://example.com", "invalid_webhook_url"],
  ["https://127.0.0.1/", "invalid_webhook_url"],
  ["https://[::1]/", "invalid_webhook_url"],
  ["https://[::ffff:10.0.0.1]/", "invalid_webhook_url"],
  ["https://169.254.169.254/latest/meta-data", "invalid_webhook_url"],
  ["http://127.0.0.1:1/", "invalid_webhook_url"],
  ["file:///etc/passwd", "invalid_webhook_url"],
  ["https://user:password@example.com/", "invalid_webhook_url"],
  ["not an address", "invalid_webhook_url"],
  [`https://example.com/${"a".repeat(2000)}`, "invalid_webhook_url"],
  [5, "invalid_webhook_url"],
];
describe("3. refused", () => {
  test.each(refusedUrls)("%s", async (url, code) => {
    expect(await create({ url })).toMatchObject({ status: 400, json: { code } });
  });
  test.each<[headers: unknown]>([
    [{ Host: "other" }],
    [{ "Content-Length": "1" }],
    [{ "Transfer-Encoding": "chunked" }],
    [{ "a b": "1" }],
    [{ a: "1\r\nb: 2" }],
    [{ a: "\u00e9" }],
    [{ a: "1".repeat(2001) }],
    [{ "": "1" }],
    [{ a: 1 }],
    [Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`h${at}`, "1"]))],
  ])("%j", async (headers) => {
    const answer = await create({ url: "https://example.com", headers });
    expect(answer).toMatchObject({ status: 400, json: { code: "invalid_webhook_headers" } });
  });
  test("more of them, and unknown or fixed fields", async () => {
    expect((await create({})).json["code"]).toBe("missing_webhook_url");
    expect((await create({ url: "https://example.com", name: 1 })).json["code"]).toBe("bad_request");
    const { json } = await create({ url: "https://example.com" });
    const path = `/webhooks/${String(json["uuid"])}`;
    expect((await admin.ask("PATCH", path, { uuid: "x" })).json["code"]).toBe("immutable_webhook_uuid");
    expect((await admin.ask("PATCH", path, { isEditable: false })).json["code"]).toBe(
      "immutable_webhook_is_editable",
    );
    expect((await admin.ask("PATCH", path, { url: "http://10.0.0.1" })).json["code"]).toBe(
      "invalid_webhook_url",
    );
    expect((await admin.ask("GET", "/webhooks/none")).json["code"]).toBe("invalid_webhook_uuid");
    for (let at = 1; at < MAX_WEBHOOKS; at++) await create({ url: "https://example.com" });
    expect((await create({ url: "https://example.com" })).json["code"]).toBe("reached_webhook_limit");
  });
  test("a name of a private address", async () => {
    const errors: unknown[] = [];
    const webhooks = createWebhooks({
      listed: new Set(),
      resolve: (_host, _options, done) => done(null, [{ address: "10.0.0.1", family: 4 }]),
      pauses: [],
      onError: (error) => errors.push(error),
    });
    const { uuid } = await webhooks.create({ url: "https://rebound.example/" });
    webhooks.notify([taskForWebhook(0)]);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(String(errors[0])).toContain(`${uuid} was not called: its host has no public address`);
  });
});

test("4. restarts", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "webhooks-"));
  const start = (options: object = {}) =>
    startAdmin({ dataDir, store: createSearchStore(), publicIndexes: [], ...options });
  const first = await start();
  const made = await first.ask("POST", "/webhooks", {
    url: "https://example.com",
    headers: { a: "a-secret-of-the-test" },
  });
  await first.close();
  const file = join(dataDir, "webhooks.json");
  expect(readFileSync(file, "utf8")).not.toContain("a-secret");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = await start();
  expect((await second.ask("GET", "/webhooks")).json).toEqual({ results: [made.json] });
  await second.close();
  const problems: string[] = [];
  const third = await start({
    adminKey: "another-key-of-an-administrator",
    onError: (error: unknown) => problems.push(String(error)),
  });
  const listed = await third.ask("GET", "/webhooks", undefined, "another-key-of-an-administrator");
  expect(listed.json).toEqual({ results: [] });
  expect(problems).toEqual([
    expect.stringMatching(/different SEARCH_ADMIN_KEY.*webhooks\.json\.\d+\.damaged/),
  ]);
  expect(readdirSync(dataDir).filter((name) => name.startsWith("webhooks"))).toHaveLength(1);
  await third.close();
  rmSync(dataDir, { recursive: true });
});
