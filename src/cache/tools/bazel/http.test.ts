/**
 * Bytes are put only under their own hash, and the empty blob is always there; a result is a hit only when it is complete; keys
 * are hashes.
 */
import { hash, randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../../testing/server.ts";

const messageOf = (text: string) => (JSON.parse(text) as { message: string }).message;

test("Bazel", async () => {
  let isComplete = true;
  const seen: string[] = [];
  const server = await openTestServer({
    completeActionResult: (_cache, { tool }, bytes) => {
      seen.push(`${tool} ${Buffer.from(bytes).toString()}`);
      return Promise.resolve(isComplete ? {} : null);
    },
  });
  onTestFinished(server.close);
  const { ask } = server;
  const body = randomBytes(10_000);
  const digest = hash("sha256", body);
  const wrong = await ask("PUT", `/cache/bazel/cas/${digest}`, { body: "other" });
  expect(wrong.status).toBe(400);
  expect(messageOf(wrong.text)).toMatch(new RegExp(`not sha256:${digest}$`));
  expect((await ask("GET", `/cache/bazel/cas/${digest}`)).status).toBe(404);
  expect((await ask("PUT", `/cache/bazel/cas/${digest}`, { body })).status).toBe(200);
  expect((await ask("GET", `/cache/bazel/cas/${digest}`)).body.equals(body)).toBe(true);
  expect((await ask("GET", `/cache/bazel/ac/${digest}`)).status).toBe(404);
  const empty = await ask("GET", `/cache/bazel/cas/${hash("sha256", "")}`);
  expect([empty.status, empty.headers["content-length"], empty.text]).toEqual([200, "0", ""]);

  await ask("PUT", `/cache/bazel/ac/${digest}`, { body: "a result" });
  expect((await ask("GET", `/cache/bazel/ac/${digest}`)).text).toBe("a result");
  isComplete = false;
  expect((await ask("GET", `/cache/bazel/ac/${digest}`)).status).toBe(404);
  expect(seen).toEqual(["bazel a result", "bazel a result"]);
  expect((await ask("PUT", `/cache/bazel/ac/${digest}`, { body: randomBytes(4_000_001) })).status).toBe(413);
  for (const key of ["nonsense", digest.toUpperCase(), `${digest}0`])
    for (const method of ["GET", "PUT"])
      expect(
        (await ask(method, `/cache/bazel/cas/${key}`, { ...(method === "PUT" && { body }) })).status,
      ).toBe(400);
  for (const path of ["", "/", "/cas", "/cas/", `/other/${digest}`, `/cas/${digest}/more`])
    expect([path, (await ask("GET", `/cache/bazel${path}`)).status]).toEqual([path, 404]);
});
