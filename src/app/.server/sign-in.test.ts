/**
 * 1. No report without a session; a session begins with the right token and ends, on the server, with sign-out, with
 *    sign-out everywhere, a restart and after twelve hours; its cookie is for the console only and for no script; a forged
 *    or changed one is none; the number of sessions is bounded.
 * 2. Wrong tokens are counted by address: however many come from many places, the right one comes through from
 *    everywhere else.
 * 3. No address, name or header opens the console: neither this machine's nor a proxy's, with or without a token.
 * 4. A link signs in once, within an hour, from everywhere; its code is in the fragment alone, a later one ends it.
 * 5. The token that a server makes for itself is private, long, and the same after a restart.
 */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { origin } from "../../telemetry/test-telemetry.ts";
import { readConsoleToken } from "./console-token.ts";
import { consoleToken as token, cookieOf, json, startConsole as setUp } from "./test-console.ts";

test("1. a session", async () => {
  const { signIn, read, state, post } = setUp();
  expect((await read("overview")).status).toBe(401);
  expect((await signIn("a-token-of-somebody-else")).status).toBe(401);
  const response = await signIn(token);
  expect(response.status).toBe(200);
  const header = response.headers.get("set-cookie") ?? "";
  for (const part of [
    "__Secure-millrace-console=",
    "HttpOnly",
    "SameSite=Strict",
    "Secure",
    "Path=/console",
    "Max-Age=43200",
  ])
    expect(header).toContain(part);
  expect(header).not.toContain(token);
  const cookie = cookieOf(response);
  expect((await read("overview", cookie)).status).toBe(200);
  const [name, value = ""] = cookie.split("=");
  for (const forged of [value.slice(0, -2), "", `${value}.x`, value.toUpperCase(), "__proto__"])
    expect((await read("overview", `${name}=${forged}`)).status).toBe(401);
  expect((await read("overview", `millrace-console=${value}`)).status).toBe(401);
  state.now += 12 * 3_600_000;
  expect((await read("overview", cookie)).status).toBe(401);
  state.now -= 1;
  expect((await read("overview", cookie)).status).toBe(200);
  const out = await post("/console/sign-out", {}, { cookie });
  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  // Whoever kept the cookie has nothing of it.
  expect((await read("overview", cookie)).status).toBe(401);
});

test("1. restarts, everywhere, bounds", async () => {
  const { signIn, read, post } = setUp();
  const cookies: string[] = [];
  for (let at = 0; at < 102; at++) cookies.push(cookieOf(await signIn(token)));
  const statuses = await Promise.all(cookies.map(async (cookie) => (await read("flags", cookie)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.slice(0, 3)).toEqual([401, 401, 200]);
  expect((await setUp().read("flags", cookies[5])).status).toBe(401);
  // Who has no session ends nobody's.
  await post("/console/sign-out", { everywhere: true }, { cookie: cookies[0]! });
  expect((await read("flags", cookies[5])).status).toBe(200);
  await post("/console/sign-out", { everywhere: true }, { cookie: cookies[5]! });
  for (const at of [5, 6, 101]) expect((await read("flags", cookies[at])).status).toBe(401);
});

test("2. wrong tokens", async () => {
  const { signIn, state } = setUp();
  const attacker = "198.51.100.1";
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 30; attempt++) statuses.push((await signIn("wrong", attacker)).status);
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
  const blocked = await signIn(token, attacker);
  expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, "10"]);
  let through = 0;
  for (let round = 0; round < 20; round++) {
    for (let at = 0; at < 20; at++) await signIn("wrong", `198.51.100.${at}`);
    if ((await signIn(token, "203.0.113.9")).status === 200) through += 1;
  }
  expect(through).toBe(20);
  // One IPv6 connection has as many addresses as it likes, and is one.
  for (let at = 0; at < 10; at++) await signIn("wrong", `2001:db8::${at}`);
  expect((await signIn(token, "2001:db8::ffff:1")).status).toBe(429);
  expect((await signIn(token, "2001:db8:0:1::1")).status).toBe(200);
  state.now += 10_000;
  expect((await signIn(token, attacker)).status).toBe(200);
});

const places: [name: string, from: string, headers: Record<string, string>][] = [
  ["this machine", "127.0.0.1", { host: "localhost:3000" }],
  ["this machine, by address", "::1", { host: "[::1]:3000" }],
  ["mapped", "::ffff:127.0.0.1", { host: "127.0.0.1" }],
  ["another machine", "192.0.2.1", { host: "localhost:3000" }],
  ["nginx with its default proxy", "127.0.0.1", { host: "localhost:3000", connection: "close" }],
  ["a proxy on this machine", "127.0.0.1", { host: "localhost", "x-forwarded-for": "127.0.0.1" }],
  ["another proxy", "127.0.0.1", { host: "localhost", forwarded: "for=127.0.0.1" }],
];

test("3. no address", async () => {
  const without = setUp(null);
  const { request } = setUp();
  for (const [name, from, headers] of places) {
    expect((await request("/console/api/overview", { from, headers })).status, name).toBe(401);
    expect((await without.request("/console/api/overview", { from, headers })).status, name).toBe(401);
    const body = JSON.stringify({ token: "" });
    const init = { method: "POST", body, from, headers: { ...headers, ...json } };
    expect((await without.request("/console/sign-in", init)).status, name).toBe(401);
  }
});

test("4. a link", async () => {
  const { post, read, makeLink, signIn, state } = setUp();
  const codeOf = (link: string) => {
    const url = new URL(link);
    expect([url.origin, url.pathname, url.search]).toEqual([origin, "/console", ""]);
    return new URLSearchParams(url.hash.slice(1)).get("code") ?? "";
  };
  const enter = (code: string, from?: string) =>
    post("/console/sign-in", { code }, { ...(from && { from }) });
  const code = codeOf(makeLink());
  expect(code).toMatch(/^[\w-]{43}$/);
  for (const wrong of ["", code.slice(1), token]) expect((await enter(wrong)).status).toBe(401);
  expect((await signIn(code)).status).toBe(401);
  // Behind a proxy that somebody guesses through the link still opens.
  for (let attempt = 0; attempt < 20; attempt++) await signIn("wrong");
  expect((await enter("wrong")).status).toBe(429);
  const entered = await enter(code);
  expect(entered.status).toBe(200);
  expect((await read("overview", cookieOf(entered))).status).toBe(200);
  const again = await enter(code, "192.0.2.9");
  expect([again.status, ((await again.json()) as { message: string }).message]).toEqual([
    401,
    expect.stringContaining("used or has expired"),
  ]);
  const former = codeOf(makeLink());
  const late = codeOf(makeLink());
  expect((await enter(former, "192.0.2.9")).status).toBe(401);
  state.now += 3_600_000;
  expect((await enter(late, "192.0.2.9")).status).toBe(401);
  const intime = codeOf(makeLink());
  state.now += 3_599_999;
  expect((await enter(intime, "192.0.2.9")).status).toBe(200);
});

test("5. the server's own token", async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "console-")), "data");
  const made = await readConsoleToken(dataDir);
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(await readConsoleToken(dataDir)).toBe(made);
  const file = join(dataDir, "console-token");
  expect(readFileSync(file, "utf8").trim()).toBe(made);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  // Cut short by a full disk or an editor: what is left would be easy to guess.
  writeFileSync(file, made.slice(0, 8));
  const next = await readConsoleToken(dataDir);
  expect([next.length, next === made]).toEqual([43, false]);
});
