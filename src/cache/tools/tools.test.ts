/** Each address lists its methods; entries of one tool are not another's. */
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../testing/server.ts";

test("methods and namespaces", async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { ask } = server;
  for (const [path, allow] of [
    [`/cache/bazel/cas/${"0".repeat(64)}`, "GET, HEAD, PUT, OPTIONS"],
    ["/cache/gocache/find", "POST, OPTIONS"],
    ["/cache/turbo/v8/artifacts/status", "GET, HEAD, OPTIONS"],
    ["/cache/sccache/c/", "PROPFIND, MKCOL, OPTIONS"],
  ] as const) {
    for (const method of ["DELETE", "PATCH", "LOCK"]) {
      const refused = await ask(method, path);
      expect([path, refused.status, refused.headers["allow"]]).toEqual([path, 405, allow]);
    }
  }
  expect((await ask("OPTIONS", "/cache/gradle/a")).headers["allow"]).toBe("GET, HEAD, PUT, OPTIONS");
  await ask("PUT", "/cache/gradle/abc", { body: "gradle's" });
  for (const path of ["/cache/sccache/abc", "/cache/sccache/gradle/abc", "/cache/turbo/v8/artifacts/abc"])
    expect((await ask("GET", path)).status).toBe(404);
});
