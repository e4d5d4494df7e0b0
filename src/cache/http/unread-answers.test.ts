/**
 * Readers that take nothing of large answers together hold no more memory than there is for such answers: others are told to
 * try again, small answers continue, and when these readers have left, or have read their answers, there is room again.
 */
import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:http2";
import { createAnswerRoom } from "#platform/grpc/hold-answer.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestServer } from "../testing/server.ts";

const ENTRY_BYTES = 60_000;
const ENTRIES = 5;

test("many outputs of Go that no one reads", async () => {
  // One organization gets half.
  const answers = createAnswerRoom(4 * 2 * 64_000 * ENTRIES, 50);
  const server = await openTestServer({ answers });
  onTestFinished(server.close);
  const { ask, tokens, http2Url } = server;
  const actions = Array.from({ length: ENTRIES }, (_, at) => hash("sha256", `${at}`));
  const headers = { "x-output-id": hash("sha256", "output"), "x-time": "1" };
  for (const action of actions)
    await ask("PUT", `/cache/gocache/${action}`, { headers, body: randomBytes(ENTRY_BYTES) });
  const body = JSON.stringify({ actions });
  const find = () => ask("POST", "/cache/gocache/find", { body });

  const session = connect(http2Url, { settings: { initialWindowSize: 0 } });
  onTestFinished(() => session.destroy());
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const stream = session.request({
        ":method": "POST",
        ":path": "/cache/gocache/find",
        authorization: `Bearer ${tokens.reader}`,
      });
      stream.on("error", () => {});
      stream.end(body);
      const [told] = (await once(stream, "response")) as [Record<string, unknown>];
      return told[":status"];
    }),
  );
  const held = statuses.filter((status) => status === 200).length;
  expect([held, statuses.filter((status) => status === 503).length]).toEqual([4, 16]);
  expect(answers.heldBytes).toBeGreaterThan(4 * ENTRIES * ENTRY_BYTES);
  expect(answers.heldBytes).toBeLessThan(4 * ENTRIES * 64_000);
  const refused = await find();
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
  expect((await ask("GET", `/cache/gocache/${actions[0]}`)).body.length).toBe(ENTRY_BYTES);

  session.destroy();
  await vi.waitUntil(() => answers.heldBytes === 0, { interval: 5 });
  const found = await find();
  expect([found.status, found.body.length > ENTRIES * ENTRY_BYTES]).toEqual([200, true]);
  await vi.waitUntil(() => answers.heldBytes === 0, { interval: 5 });
});
