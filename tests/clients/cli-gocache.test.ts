/**
 * The built helper with the real `go`, and the server's own cache over HTTP.
 *
 * 1. Results of one machine reach another from the server; then from its own disk.
 * 2. A job that may only read gets existing entries, and adds none.
 * 3. Without the server, with a token that is not valid, and with a folder that cannot be written, the build succeeds, and
 *    one line says why it was slower.
 * 4. Two simultaneous builds share a folder.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestServer, type TestServer } from "#cache/testing/server.ts";
import { buildCli, collect, type Ended } from "./cli-process.ts";

/** Without `./...` Go also links the program, and stores no entry for that. */
const BUILD = ["build", "./..."];

/** Go makes one entry of its own on each machine; the recorded builds have it too: 552 hits of 553, one put. */
const OWN = 1;

const hasGo = spawnSync("go", ["version"]).status === 0;

describe.skipIf(!hasGo)("go", () => {
  const place = mkdtempSync(join(tmpdir(), "millrace-go-"));
  const module = join(place, "shop");
  let main: string;
  let server: TestServer;

  beforeAll(async () => {
    main = await buildCli(join(place, "package"));
    server = await openTestServer();
    mkdirSync(module);
    writeFileSync(join(module, "go.mod"), "module example.com/shop\n\ngo 1.24\n");
    writeFileSync(join(module, "main.go"), 'package main\n\nfunc main() { println("shop") }\n');
    mkdirSync(join(module, "basket"));
    writeFileSync(
      join(module, "basket", "basket.go"),
      "package basket\n\nfunc Sum(a, b int) int { return a + b }\n",
    );
    writeFileSync(
      join(module, "basket", "basket_test.go"),
      'package basket\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n',
    );
    // Go stores no index of a folder that changed in the last seconds, and would have to make it in the second build.
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const name of readdirSync(module, { recursive: true, encoding: "utf8" }))
      utimesSync(join(module, name), hourAgo, hourAgo);
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    rmSync(place, { recursive: true, force: true });
  });

  interface Machine {
    folder: string;
    url?: string;
    token?: string;
    args?: string[];
  }

  function go({ folder, url = server.url, token, args = BUILD }: Machine): Promise<Ended> {
    mkdirSync(join(place, folder), { recursive: true });
    return collect("go", args, {
      cwd: module,
      env: {
        HOME: join(place, folder),
        GOCACHEPROG: `${process.execPath} ${main} gocache --verbose --dir ${join(place, folder, "cache")}`,
        GOFLAGS: "-trimpath",
        GOTOOLCHAIN: "local",
        CGO_ENABLED: "0",
        MILLRACE_URL: url,
        MILLRACE_TOKEN: token ?? server.tokens.organization,
      },
    });
  }

  const SUMMARY = /^gocache: (\d+) gets, (\d+) hits \((\d+) local, (\d+) remote\), (\d+) puts$/m;
  function summaryOf({ stderr }: Ended) {
    const [gets, hits, local, remote, puts] = (SUMMARY.exec(stderr) ?? []).slice(1).map(Number);
    return { gets: gets!, hits: hits!, local: local!, remote: remote!, puts: puts! };
  }
  /** Messages other than those about single entries and the summary. */
  const othersOf = ({ stderr }: Ended) =>
    stderr
      .split("\n")
      .filter((line) => line !== "" && !/^gocache: (?:(?:hit|miss) [0-9a-f]{8}|\d+ gets)/.test(line));

  test("1. from machine to machine", { timeout: 300_000 }, async () => {
    const cold = await go({ folder: "a" });
    expect([cold.code, othersOf(cold)]).toEqual([0, []]);
    expect(summaryOf(cold)).toMatchObject({ hits: 0, puts: expect.any(Number) });
    expect(summaryOf(cold).puts).toBeGreaterThan(20);
    const warm = await go({ folder: "b" });
    expect([warm.code, othersOf(warm)]).toEqual([0, []]);
    const { gets, remote, puts } = summaryOf(warm);
    expect(gets).toBeGreaterThan(20);
    expect([gets - remote <= OWN, puts <= OWN]).toEqual([true, true]);
    const again = summaryOf(await go({ folder: "b" }));
    expect([again.gets - again.local <= OWN, again.remote]).toEqual([true, 0]);

    const args = ["test", "./basket"];
    expect((await go({ folder: "a", args })).stdout).not.toContain("(cached)");
    const tested = await go({ folder: "c", args });
    expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining("(cached)")]);
  });

  test("2. a job that may only read", { timeout: 120_000 }, async () => {
    const before = await countEntries();
    const read = await go({ folder: "job", token: server.tokens.job });
    expect(read.code).toBe(0);
    expect(summaryOf(read).gets - summaryOf(read).remote).toBeLessThanOrEqual(OWN);
    const args = ["build", "-gcflags=-N", "./..."];
    const changed = await go({ folder: "job", token: server.tokens.job, args });
    expect([changed.code, othersOf(changed)]).toEqual([
      0,
      ["gocache: 403, nothing is uploaded: this token can only read"],
    ]);
    expect(await countEntries()).toBe(before);
  });

  async function countEntries(): Promise<number> {
    const { count } = await server.database.db
      .selectFrom("cache_entries")
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  test("3. what goes wrong", { timeout: 300_000 }, async () => {
    writeFileSync(join(place, "file"), "");
    // It imports nothing: Go compiles it alone.
    const alone = ["build", "./basket"];
    for (const [machine, line] of [
      [
        { folder: "away", url: "http://127.0.0.1:9" },
        /^gocache: using the local directory: connect ECONNREFUSED/,
      ],
      [{ folder: "wrong", token: "mr_org_wrong" }, /^gocache: 401, using the local directory$/],
      [
        { folder: "project", token: server.tokens.project },
        /^gocache: 403 project tokens may not use the cache.*, using/,
      ],
    ] as const) {
      const ended = await go({ ...machine, args: alone });
      expect([machine.folder, ended.code, othersOf(ended)]).toEqual([
        machine.folder,
        0,
        [expect.stringMatching(line)],
      ]);
      expect(summaryOf(ended)).toMatchObject({ hits: 0 });
    }
    writeFileSync(join(place, "full"), "");
    const full = await collect("go", alone, {
      cwd: module,
      env: {
        HOME: join(place, "away"),
        GOCACHEPROG: `${process.execPath} ${main} gocache --dir ${join(place, "full", "cache")}`,
        GOFLAGS: "-trimpath",
        CGO_ENABLED: "0",
        MILLRACE_URL: server.url,
        MILLRACE_TOKEN: server.tokens.organization,
      },
    });
    expect([full.code, othersOf(full)]).toEqual([
      0,
      [expect.stringMatching(/full\/cache cannot be written \(ENOTDIR\), using a temporary directory$/)],
    ]);
  });

  test("4. two builds at once", { timeout: 120_000 }, async () => {
    const both = await Promise.all([1, 2].map(() => go({ folder: "shared", args: ["vet", "."] })));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(othersOf)).toEqual([[], []]);
  });
});
