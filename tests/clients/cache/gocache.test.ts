/**
 * Go with `millrace gocache`, as its page says:
 *
 * 1. A build fills the cache; with an emptied local directory the next one takes everything from there.
 * 2. Without the server, with a wrong token and with a project's token it builds with the local directory.
 * 3. An entry that may not be stored, is damaged or is cut off costs a compilation and never gives a wrong result.
 */
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { buildCli } from "../cli-process.ts";
import { makeText, openCacheStage, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { findGo } from "./tools.ts";

const go = await findGo();

const DATA = makeText(60_000, "go");
const SUMMARY = /gocache: (\d+) gets, (\d+) hits \((\d+) local, (\d+) remote\), (\d+) puts/;

describe.skipIf(!go)("Go", { timeout: TOOL_MS }, () => {
  let cli = "";
  const stage = useCacheStage(async ({ write, folder }) => {
    cli = await buildCli(join(folder, "../cli"));
    await write({
      "go.mod": "module example.com/shop\n\ngo 1.24\n",
      "main.go": 'package main\n\nimport "example.com/shop/data"\n\nfunc main() { print(len(data.Text)) }\n',
    });
  }, "200MB");
  const build = async (token: string, origin = stage().origin) => {
    const { code, output } = await stage().run([go ?? "", "build", "-v", "-trimpath", "-o", "shop", "."], {
      env: {
        MILLRACE_URL: origin,
        MILLRACE_TOKEN: token,
        GOCACHEPROG: `${process.execPath} ${cli} gocache --verbose --dir ${join(stage().folder, "go-cache")}`,
        CGO_ENABLED: "0",
        GOFLAGS: "-mod=mod",
        GOTOOLCHAIN: "local",
      },
    });
    const [gets, hits, local, remote, puts] = (SUMMARY.exec(output) ?? []).slice(1).map(Number);
    // With -v, Go prints the name of each package that it compiles.
    const compiled = output.split("\n").filter((line) => line !== "" && !line.startsWith("gocache: "));
    return { code, output, compiled, gets, hits, local, remote, puts };
  };
  const writeText = (text: string) =>
    stage().write({ "data/data.go": `package data\n\nconst Text = "${text}"\n` });
  const ran = async () => (await stage().run(["./shop"])).output;
  beforeEach(() => writeText(DATA));

  test("the second build comes from the remote cache", async () => {
    const { tokens, remove } = stage();
    const first = await build(tokens.organization);
    expect(first).toMatchObject({ code: 0, hits: 0 });
    expect(first.compiled).toContain("example.com/shop/data");
    // A cold build puts more than it gets.
    expect(first.puts).toBeGreaterThan(first.gets ?? Infinity);
    remove("go-cache", "shop");
    const second = await build(tokens.organization);
    expect(second).toMatchObject({ code: 0, compiled: [], local: 0 });
    expect(second.remote).toBeGreaterThan(first.gets ?? Infinity);
    expect(await ran()).toBe(String(DATA.length));
  });

  test("without the server it compiles with the local directory", async () => {
    const { tokens, proxy } = stage();
    await proxy.goAway();
    await writeText("away");
    const away = await build(tokens.organization);
    expect(away).toMatchObject({ code: 0, remote: 0 });
    expect(await ran()).toBe("4");
  });

  test("a wrong token and a project's are named, and it compiles with the local directory", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, status] of [
      [wrong, "401"],
      [project, "403 project tokens may not use the cache"],
    ] as const) {
      await writeText(`refused with ${status}`);
      const { code, output, remote } = await build(token);
      expect(output).toContain(`gocache: ${status}, using the local directory`);
      expect({ code, remote }).toEqual({ code: 0, remote: 0 });
    }
  });

  test("a damaged entry is a miss, and the build repairs it", async () => {
    const { tokens, damageEntries, remove } = stage();
    expect(damageEntries()).toBeGreaterThan(0);
    remove("go-cache", "shop");
    const damaged = await build(tokens.organization);
    expect(damaged.code).toBe(0);
    expect(damaged.compiled).toContain("example.com/shop/data");
    expect(await ran()).toBe(String(DATA.length));
    remove("go-cache", "shop");
    const mended = await build(tokens.organization);
    expect(mended).toMatchObject({ code: 0, compiled: [], local: 0 });
  });

  test("an answer that is cut off is a miss", async () => {
    const { tokens, proxy, remove } = stage();
    remove("go-cache", "shop");
    proxy.cutAfter = 20_000;
    const cut = await build(tokens.organization);
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(cut.code).toBe(0);
    expect(await ran()).toBe(String(DATA.length));
  });

  test("what is too large is not stored", async () => {
    await using small = await openCacheStage();
    await writeText(makeText(TOO_LARGE_BYTES, "large"));
    const { code, output } = await build(small.tokens.organization, small.origin);
    expect(output).toMatch(/gocache: 413, not uploaded: [0-9a-f]{8} with \d+ bytes/);
    expect(code).toBe(0);
    expect(await ran()).toBe(String(TOO_LARGE_BYTES));
  });
});
