/** Every folder exists, files have the bytes that were put; nothing needs to be created. */
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../../testing/server.ts";

test("sccache", async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { ask, tokens } = server;
  const body = '<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>';
  for (const path of ["", "/", "/c/d/9/", "/my%20prefix%26/c/"]) {
    const folder = await ask("PROPFIND", `/cache/sccache${path}`, { body, headers: { depth: "0" } });
    expect([path, folder.status]).toEqual([path, 207]);
    expect(folder.text).toContain("<D:collection/>");
    expect(folder.text).toContain(`<D:href>/cache/sccache${path.replace("%26", "&amp;")}</D:href>`);
  }
  const file = "/cache/sccache/c/d/9/cd9d";
  expect((await ask("PROPFIND", file, { body })).status).toBe(404);
  expect((await ask("PUT", file, { body: "an object" })).status).toBe(201);
  const found = await ask("PROPFIND", file, { body });
  expect(found.status).toBe(207);
  expect(found.text).toContain("<D:getcontentlength>9</D:getcontentlength>");
  expect(found.text).not.toContain("collection");
  expect((await ask("GET", file)).text).toBe("an object");
  expect((await ask("MKCOL", "/cache/sccache/")).status).toBe(405);
  expect((await ask("MKCOL", "/cache/sccache/c/d/")).status).toBe(201);
  expect((await ask("MKCOL", "/cache/sccache/c/", { token: tokens.reader })).status).toBe(403);
  expect((await ask("OPTIONS", "/cache/sccache/")).headers["dav"]).toBe("1");
  expect((await ask("PROPFIND", "/cache/sccache/", { body: "x".repeat(300_000) })).status).toBe(413);
  expect((await ask("PUT", `/cache/sccache/${"a/".repeat(300)}x`, { body })).status).toBe(400);
});
