/** An entry has the same key at the cache's address and at that of Gradle's own cache node. */
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../../testing/server.ts";

test("Gradle", async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { ask } = server;
  const body = randomBytes(767);
  expect((await ask("PUT", "/cache/gradle/cache/b001f775", { body })).status).toBe(200);
  const found = await ask("GET", "/cache/gradle/b001f775");
  expect(found.body.equals(body)).toBe(true);
  expect(found.headers["content-type"]).toBe("application/vnd.gradle.build-cache-artifact.v2");
  for (const path of ["/cache/gradle/", "/cache/gradle/a/b", `/cache/gradle/${"a".repeat(129)}`])
    expect((await ask("PUT", path, { body })).status).toBe(404);
});
