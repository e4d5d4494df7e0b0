/** Paths of Maven's form, with names that must be encoded; others are refused. */
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../../testing/server.ts";

test("Maven", async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { ask } = server;
  const good = [
    "/v1/com.acme/basket/53fe44244d9401b2/buildinfo.xml",
    "/v1.1/com.acme/basket/53fe44244d9401b2/basket-1.0+build%20of%20%C3%A4.jar",
    "/v1.1/com.acme/basket/9d4e78e2-3898-43fb-99ba-b16cabbfae6b/build-cache-report.xml",
  ];
  for (const path of good) {
    expect((await ask("PUT", `/cache/maven${path}`, { body: path })).status).toBe(201);
    expect((await ask("GET", `/cache/maven${path}`)).text).toBe(path);
    expect((await ask("HEAD", `/cache/maven${path}`)).headers["content-length"]).toBe(String(path.length));
  }
  const [first = ""] = good;
  expect((await ask("GET", `/cache/maven${first.replace("basket", "%62asket")}`)).text).toBe(first);
  for (const path of [
    "/v1.1/com.acme/../basket/x",
    "/v1.1/com.acme/%2e%2e/basket/x",
    "/v1.1/com.acme//x",
    "/v1.1/a%2fb/x",
    "/v1.1/a%00b/x",
    "/v1.1/a%0ab/x",
    "/v1.1/a%5cb/x",
    "/v1.1/a%zzb/x",
    "/v1.1/a%ffb/x",
    `/v1.1${`/${"a".repeat(190)}`.repeat(3)}`,
  ])
    expect([path, (await ask("PUT", `/cache/maven${path}`, { body: "x" })).status]).toEqual([path, 400]);
  for (const path of ["/nothing", "/v1.1", "/v1.1/", "/v1.1/a/", `/v1.1/${"a".repeat(201)}`, "/x/com.acme/y"])
    expect([path, (await ask("PUT", `/cache/maven${path}`, { body: "x" })).status]).toEqual([path, 404]);
});
