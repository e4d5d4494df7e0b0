/**
 * 1. A failed call is repeated, a redirect is one; what is given up is reported without address and headers.
 * 2. A slow or dead receiver holds up neither tasks nor other webhooks, and calls that wait are bounded.
 */
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_WAITING_WEBHOOK_BYTES } from "../protocol/limits.ts";
import { startAdmin } from "../testing/admin.ts";
import { startWebhookReceiver, taskForWebhook } from "../testing/webhook-receiver.ts";
import { WebhookError } from "./webhook-queues.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

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

function open(options: Partial<Parameters<typeof createWebhooks>[0]> = {}) {
  const errors: unknown[] = [];
  const webhooks = createWebhooks({
    listed: new Set([origin]),
    pauses: [1, 1],
    onError: (error) => errors.push(error),
    ...options,
  });
  return { webhooks, errors };
}

describe("1. attempts", () => {
  test("until one succeeds", async () => {
    const statuses = [500, 302, 200];
    receiver.state.respond = (response) =>
      void response.writeHead(statuses.shift() ?? 200, { location: `${origin}/elsewhere` }).end();
    const { webhooks, errors } = open();
    await webhooks.create({ url: origin });
    webhooks.notify([taskForWebhook(0)]);
    webhooks.notify([taskForWebhook(1)]);
    await vi.waitFor(() => expect(tasksOf().map(({ uid }) => uid)).toEqual([0, 0, 0, 1]));
    expect(errors).toEqual([]);
  });
  test("until the last, and without what is secret", async () => {
    receiver.state.respond = (response) => void response.writeHead(401).end("the secret of the receiver");
    const { webhooks, errors } = open();
    const { uuid } = await webhooks.create({ url: `${origin}/secret-path`, headers: { a: "secret-header" } });
    webhooks.notify([taskForWebhook(0)]);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(errors[0]).toBeInstanceOf(WebhookError);
    expect(String(errors[0])).toBe(
      `Error: The webhook ${uuid} was not called: it responded with status 401, 3 times.`,
    );
  });
  describe("after a failed one", () => {
    async function failAfter(change: (webhooks: Webhooks, uuid: string) => Promise<unknown>) {
      const held: ServerResponse[] = [];
      receiver.state.respond = (response) => void held.push(response);
      const { webhooks, errors } = open();
      const { uuid } = await webhooks.create({ url: `${origin}/before` });
      webhooks.notify([taskForWebhook(0)]);
      await vi.waitFor(() => expect(held).toHaveLength(1));
      await change(webhooks, uuid);
      receiver.state.respond = (response) => void response.writeHead(204).end();
      held[0]?.writeHead(500).end();
      return errors;
    }
    const paths = () => received.map(({ path }) => path);

    test("none to a deleted webhook", async () => {
      const errors = await failAfter((webhooks, uuid) => webhooks.remove(uuid));
      // Many times the pause before the next attempt.
      await new Promise((done) => setTimeout(done, 100));
      expect(paths()).toEqual(["/before"]);
      expect(errors).toEqual([]);
    });
    test("the next to the changed address", async () => {
      const errors = await failAfter((webhooks, uuid) => webhooks.change(uuid, { url: `${origin}/after` }));
      await vi.waitFor(() => expect(paths()).toEqual(["/before", "/after"]));
      expect(errors).toEqual([]);
    });
  });
});

test("2. a receiver that does not respond", async () => {
  receiver.state.respond = () => {};
  await create({ url: origin });
  for (const uid of ["a", "b"]) await admin.done(admin.ask("POST", "/indexes", { uid }));
  await vi.waitFor(() => expect(received).toHaveLength(1));
  const { webhooks, errors } = open();
  await webhooks.create({ url: origin });
  const large = { text: "x".repeat(MAX_WAITING_WEBHOOK_BYTES * 0.4) };
  for (let uid = 0; uid < 5; uid++) webhooks.notify([taskForWebhook(uid, large)]);
  expect(errors.map(String)).toEqual([expect.stringContaining("too many calls wait")]);
  webhooks.close();
});

test("2. a dead receiver and a healthy one", async () => {
  receiver.state.respond = (response, path) => void (path === "/healthy" && response.writeHead(204).end());
  const { webhooks, errors } = open();
  const dead = await webhooks.create({ url: `${origin}/dead` });
  await webhooks.create({ url: `${origin}/healthy` });
  const large = { text: "x".repeat(MAX_WAITING_WEBHOOK_BYTES * 0.24) };
  const callsOf = (path: string) => received.filter((call) => call.path === path);
  for (let uid = 0; uid < 6; uid++) {
    webhooks.notify([taskForWebhook(uid, large)]);
    await vi.waitFor(() => expect(callsOf("/healthy")).toHaveLength(uid + 1));
  }
  expect(callsOf("/dead")).toHaveLength(1);
  expect(errors.map(String)).toEqual([expect.stringContaining(`to the webhook ${dead.uuid}: too many`)]);
  webhooks.close();
});
