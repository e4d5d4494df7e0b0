/**
 * sccache, as its page says:
 *
 * 1. A compilation fills the cache; a new daemon, which stores nothing on the disk, takes it from there.
 * 2. Without the server, with a wrong token and with a project's token the daemon does not start, and nothing is compiled.
 * 3. An entry that may not be stored, is damaged or is cut off costs a compilation and never gives a wrong result.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../../attack/server-process.ts";
import { makeText, type Ran, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { findSccache } from "./tools.ts";

const sccache = await findSccache();
const port = String(await freePort());
const sourceOf = (text: string) => `const char data[] = "${text}";\n`;

describe.skipIf(!sccache)("sccache", { timeout: TOOL_MS }, () => {
  const stage = useCacheStage(() => Promise.resolve());
  const run = (token: string, ...args: string[]) =>
    stage().run([join(sccache ?? "", "sccache"), ...args], {
      env: {
        SCCACHE_WEBDAV_ENDPOINT: `${stage().origin}/cache/sccache`,
        SCCACHE_WEBDAV_TOKEN: token,
        SCCACHE_SERVER_PORT: port,
      },
    });
  const compile = async (token: string): Promise<Ran> => {
    await run(token, "--stop-server");
    stage().remove("shop.o");
    return run(token, "cc", "-c", "shop.c", "-o", "shop.o");
  };
  /** Compiles, and reads a counter. */
  const count = async (token: string, counter: string): Promise<number> => {
    const { code, output } = await compile(token);
    expect(code, output).toBe(0);
    expect(existsSync(join(stage().folder, "shop.o"))).toBe(true);
    const stats = (await run(token, "--show-stats")).output;
    expect(stats).toContain("webdav, name: , prefix: /");
    return Number(new RegExp(`^${counter} +(\\d+)$`, "m").exec(stats)?.[1]);
  };
  beforeEach(() => stage().write({ "shop.c": sourceOf(makeText(60_000, "sccache")) }));
  afterAll(async () => {
    if (sccache) await run("", "--stop-server");
  });

  test("the second compilation hits", async () => {
    const { organization } = stage().tokens;
    expect(await count(organization, "Cache misses")).toBe(1);
    expect(await count(organization, "Cache hits")).toBe(1);
  });

  test("without the server it does not start", async () => {
    await stage().proxy.goAway();
    const { code, output } = await compile(stage().tokens.organization);
    expect(output).toContain("cache storage failed to read: Unexpected (temporary)");
    expect(code).toBe(2);
    expect(existsSync(join(stage().folder, "shop.o"))).toBe(false);
  });

  test("with a wrong token or a project's it does not start", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, reason] of [
      [wrong, "Unexpected (permanent) at read"],
      [project, "PermissionDenied (temporary) at read"],
    ] as const) {
      const { code, output } = await compile(token);
      expect(output).toContain(`cache storage failed to read: ${reason}`);
      expect(code).toBe(2);
      expect(existsSync(join(stage().folder, "shop.o"))).toBe(false);
    }
  });

  test("a read-only token hits, and counts what it could not store", async () => {
    const { readOnly } = stage().tokens;
    expect(await count(readOnly, "Cache hits")).toBe(1);
    await stage().write({ "shop.c": sourceOf("new") });
    expect(await count(readOnly, "Cache write errors")).toBe(1);
  });

  test("a damaged entry is a miss, and the compilation repairs it", async () => {
    const { tokens, damageEntries } = stage();
    expect(damageEntries()).toBeGreaterThan(0);
    expect(await count(tokens.organization, "Cache misses")).toBe(1);
    expect(await count(tokens.organization, "Cache hits")).toBe(1);
  });

  test("an answer that is cut off is a miss", async () => {
    const { tokens, proxy } = stage();
    proxy.cutAfter = 8000;
    expect(await count(tokens.organization, "Cache misses")).toBe(1);
    expect(proxy.cuts).toBeGreaterThan(0);
  });

  test("what is too large is not stored", async () => {
    const { organization } = stage().tokens;
    await stage().write({ "shop.c": sourceOf(makeText(TOO_LARGE_BYTES, "large")) });
    expect(await count(organization, "Cache write errors")).toBe(1);
    expect(await count(organization, "Cache misses")).toBe(1);
  });
});
