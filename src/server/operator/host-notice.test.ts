/**
 * 1. While SITE_ORIGIN is the machine's own name, the first page of the application opened under another name is reported to the
 *    operator, once, with the setting to change.
 * 2. Nothing is reported for the machine's own names, for other addresses, or once SITE_ORIGIN is a real name; and no header from
 *    a stranger is logged unless it could be an address.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { createHostNotice } from "./host-notice.ts";

function serve(origin = "http://localhost:3000") {
  const lines: string[] = [];
  const app = new Hono().use(createHostNotice(origin, (line) => lines.push(line)));
  app.get("*", (context) => context.text("page"));
  const open = async (host: string, path = "/app/sign-in") => {
    const answer = await app.request(path, { headers: { host } });
    expect(await answer.text()).toBe("page");
  };
  return { lines, open };
}

test("1. another name", async () => {
  const { lines, open } = serve();
  await open("build.acme.example:3000");
  await open("10.0.0.5:3000");
  expect(lines).toEqual([
    expect.stringMatching(
      /at build\.acme\.example:3000, but SITE_ORIGIN is http:\/\/localhost:3000: .* Set SITE_ORIGIN=http:\/\/build\.acme\.example:3000,/,
    ),
  ]);
});

test.each(["/app", "/auth/state", "/device?code=WDJB-MJHT"])("1. at %s", async (path) => {
  const { lines, open } = serve("http://127.0.0.1:3000");
  await open("[fd00::5]:3000", path);
  expect(lines).toHaveLength(1);
});

test("2. nothing to say", async () => {
  const { lines, open } = serve();
  for (const host of ["localhost:3000", "LOCALHOST:8080", "127.0.0.1", "[::1]:3000", "a.localhost"])
    await open(host);
  for (const path of ["/docs", "/healthz", "/v2/", "/apple"]) await open("build.acme.example", path);
  for (const host of ["", "a b", "x".repeat(300), "a\u001b[31m", "a/b", "${jndi:x}", "a:b:c"])
    await open(host).catch(() => {});
  const named = serve("https://build.acme.example");
  await named.open("10.0.0.5");
  expect([...lines, ...named.lines]).toEqual([]);
});
