/**
 * The helper for Go, in process, with a server in memory and Go's output (recorded in tests/fixtures by hand: see
 * read-requests.ts).
 *
 * 1. An entry that one machine puts, another gets, byte for byte; then from its own disk. Sizes 0, small, inline, and of megabytes.
 * 2. Requests are read however the pipe splits them.
 * 3. Whatever the server does, each `get` is answered and each `put` is stored; one line reports that a server is down.
 * 4. No damaged, cut or foreign bytes reach Go, from the server or the disk.
 * 5. Simultaneous look-ups share requests; when `close` is answered, all uploads are done or were given up in time.
 * 6. Several processes may share the folder; a folder that cannot be written is replaced by another folder.
 * 7. Entries unused for five days are removed, and nothing else.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startGo, type TestGo } from "../testing/go.ts";
import { type GoCacheServer, startGoCacheServer } from "../testing/gocache-server.ts";
import { readRequests } from "./read-requests.ts";
import { formatTime } from "./entry.ts";
import { trim } from "./trim.ts";

let server: GoCacheServer;
let place: string;
const opened: TestGo[] = [];

beforeEach(async () => {
  server = await startGoCacheServer();
  place = mkdtempSync(join(tmpdir(), "gocache-test-"));
});
afterEach(async () => {
  for (const go of opened.splice(0)) go.end();
  await server.close();
  rmSync(place, { recursive: true, force: true });
});

const start = (folder: string, options: Partial<Parameters<typeof startGo>[0]> = {}): TestGo => {
  const go = startGo({ folder: join(place, folder), origin: server.origin, ...options });
  opened.push(go);
  return go;
};
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const actionOf = (name: string) => sha256(`action ${name}`);

test("1. from machine to machine", async () => {
  const sizes = [0, 1, 2, 3, 900, 64_000, 64_001, 300_000, 5_000_000];
  const outputs = sizes.map((size) => Buffer.alloc(size, `${size} `));
  const a = start("a");
  expect(await a.greeting()).toEqual({ ID: 0, KnownCommands: ["get", "put", "close"] });
  for (const [index, bytes] of outputs.entries()) {
    expect(await a.get(actionOf(`${index}`))).toEqual({ ID: expect.any(Number), Miss: true });
    const { DiskPath } = await a.put(actionOf(`${index}`), bytes);
    expect(readFileSync(DiskPath!).equals(bytes)).toBe(true);
  }
  await a.close();
  expect(a.notes.at(-1)).toBe("9 gets, 0 hits (0 local, 0 remote), 9 puts");
  expect(server.authorization).toEqual(new Set(["Bearer mr_user_of-a-test"]));
  expect(server.entries.size).toBe(sizes.length);

  for (const [round, kind] of ["remote", "local"].entries()) {
    const b = start("b");
    for (const [index, bytes] of outputs.entries()) {
      const answer = await b.get(actionOf(`${index}`));
      expect(answer).toMatchObject({
        Size: bytes.length,
        OutputID: Buffer.from(sha256(bytes), "hex").toString("base64"),
      });
      expect(Math.abs(Date.parse(answer.Time!) - Date.now())).toBeLessThan(60_000);
      expect(readFileSync(answer.DiskPath!).equals(bytes)).toBe(true);
    }
    await b.close();
    expect(b.notes).toContain(`hit ${actionOf("1").slice(0, 8)} ${kind}`);
    expect(b.notes.at(-1)).toBe(
      `9 gets, 9 hits (${round === 0 ? "0 local, 9 remote" : "9 local, 0 remote"}), 0 puts`,
    );
    expect(b.warnings).toEqual([]);
  }
});

test("1. times keep their nanoseconds", () => {
  expect(formatTime("1764000000000000005")).toBe("2025-11-24T16:00:00.000000005Z");
  expect(formatTime("5")).toBe("1970-01-01T00:00:00.000000005Z");
});

test("2. however the pipe cuts", async () => {
  const body = Buffer.from("hello, world");
  const text =
    `{"ID":1,"Command":"get","ActionID":"${Buffer.alloc(32, 1).toString("base64")}"}\n\n` +
    `{"ID":2,"Command":"put","ActionID":"AQ==","OutputID":"Ag==","BodySize":12}\n\n"${body.toString("base64")}"\n` +
    `{"ID":3,"Command":"put","ActionID":"AQ==","OutputID":"Ag=="}\n\n{"ID":4,"Command":"close"}\n\n`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: text.length }), { maxLength: 20 }), async (cuts) => {
      const ends = [...new Set(cuts), text.length].toSorted((a, b) => a - b);
      const chunks = ends.map((end, index) => Buffer.from(text.slice(ends[index - 1] ?? 0, end)));
      const seen: unknown[] = [];
      const open = () => {
        const bytes: Uint8Array[] = [];
        return { write: (more: Uint8Array) => void bytes.push(Uint8Array.from(more)), bytes };
      };
      for await (const { request, sink } of readRequests(toStream(chunks), open))
        seen.push([request.id, request.command, sink && Buffer.concat(sink.bytes).toString()]);
      expect(seen).toEqual([
        [1, "get", undefined],
        [2, "put", "hello, world"],
        [3, "put", ""],
        [4, "close", undefined],
      ]);
    }),
  );
});

test.each([
  ["no JSON", "hello\n", "this is not a request from Go: hello"],
  ["no request", "[1]\n", "this is not a request from Go: [1]"],
  ["a line without an end", "x".repeat(70_000), "a request from Go has more than 65536 bytes"],
  [
    "a short body",
    '{"ID":1,"Command":"put","BodySize":9}\n"aGVsbG8="\n',
    "a body from Go does not have the size",
  ],
  ["no body", '{"ID":1,"Command":"put","BodySize":9}\n{"ID":2}\n', "a body from Go does not start"],
])("2. who is not Go is told: %s", async (_, text, message) => {
  const read = async () => {
    for await (const each of readRequests(toStream([Buffer.from(text)]), () => ({ write: () => {} })))
      void each;
  };
  await expect(read()).rejects.toThrow(message);
});

async function* toStream(chunks: readonly Buffer[]): AsyncIterable<Buffer> {
  yield* chunks;
}

describe("3. and 4. a server that is not as it should be", () => {
  const bytes = Buffer.from("package shop");
  const [known, other] = [actionOf("known"), actionOf("other")];
  /** Gets an entry that the server should have and a new one, and puts the new one. @returns whether the first was found */
  async function build(options: Partial<Parameters<typeof startGo>[0]> = {}) {
    server.entries.set(known, { output: sha256(bytes), time: "1764000000000000000", bytes });
    const go = start("machine", options);
    const answer = await go.get(known);
    const isHit = answer.Miss !== true;
    if (isHit) expect(readFileSync(answer.DiskPath!).equals(bytes)).toBe(true);
    for (let more = 0; more < 4; more++) expect((await go.get(actionOf(`miss ${more}`))).Miss).toBe(true);
    const put = await go.put(other, Buffer.from("shop"));
    expect(readFileSync(put.DiskPath!, "utf8")).toBe("shop");
    await go.close();
    return { isHit, warnings: go.warnings, notes: go.notes };
  }
  const answerWith = (status: number, body: string, headers = {}) => {
    server.intercept = (request, response) => {
      request.resume();
      response.writeHead(status, headers).end(body);
      return true;
    };
  };

  test("as it should be", async () => {
    expect(await build()).toMatchObject({ isHit: true, warnings: [] });
    expect(server.entries.has(other)).toBe(true);
  });

  test.each([
    [401, '{"message":"token is unknown"}', "401, using the local directory"],
    [
      403,
      '{"message":"project tokens may not use the cache"}',
      "403 project tokens may not use the cache, using the local directory",
    ],
    [404, "<html>", "404, using the local directory"],
    [500, "", "500, using the local directory"],
    [502, "<html>bad gateway", "502, using the local directory"],
    [200, "<html>welcome", "the response has no line of JSON, using the local directory"],
    [200, '{"entries":5}\n', "the response has no list of entries, using the local directory"],
    [
      200,
      '{"entries":[{"action":"../../etc/passwd"}]}\n',
      "the response has an invalid entry, using the local directory",
    ],
  ])("%i %s", async (status, body, warning) => {
    answerWith(status, body);
    expect(await build()).toMatchObject({ isHit: false, warnings: [warning] });
  });

  test("away", async () => {
    await server.close();
    const { isHit, warnings } = await build();
    expect(isHit).toBe(false);
    expect(warnings).toEqual([
      expect.stringMatching(/^using the local directory: connect ECONNREFUSED .*nothing is listening/),
    ]);
    server = await startGoCacheServer();
  });

  test("no answer, ever", async () => {
    server.intercept = () => true;
    const started = performance.now();
    expect(await build()).toMatchObject({
      isHit: false,
      warnings: ["no response for 5 s, using the local directory"],
    });
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test("connections that break", async () => {
    server.intercept = (request) => {
      request.destroy();
      return true;
    };
    const { isHit, warnings } = await build();
    expect([isHit, warnings.length]).toEqual([false, 1]);
  });

  test("busy: it is left alone for as long as it asks, and gets the uploads afterwards", async () => {
    let refused = 0;
    server.intercept = (request, response) => {
      if (refused++ > 0) return false;
      request.resume();
      response.writeHead(429, { "retry-after": "1" }).end();
      return true;
    };
    expect(await build()).toMatchObject({ isHit: false, warnings: [] });
    expect(server.requests.filter((line) => line.startsWith("find"))).toEqual([]);
    expect(server.entries.has(other)).toBe(true);
  });

  test.each([403, 413])(
    "uploads refused with %i: reading continues, and only users who ask to hear more are told",
    async (status) => {
      server.intercept = (request, response) => {
        if (request.method !== "PUT") return false;
        request.resume();
        response.writeHead(status).end();
        return true;
      };
      const { isHit, warnings, notes } = await build();
      expect([isHit, warnings]).toEqual([true, []]);
      expect(notes.filter((note) => note.startsWith(`${status}, `))).toHaveLength(1);
    },
  );

  test.each([
    ["other bytes", Buffer.from("package evil")],
    ["less", Buffer.from("package")],
    ["more", Buffer.from("package shopping")],
  ])("4. %s, inline and not, are a miss", async (_, wrong) => {
    for (const inlineBytes of [64_000, 0]) {
      server.inlineBytes = inlineBytes;
      server.intercept = () => {
        server.entries.set(known, { output: sha256(bytes), time: "1", bytes: wrong });
        return false;
      };
      expect((await build()).isHit).toBe(false);
      expect(existsSync(join(place, "machine", known.slice(0, 2), `${known}-a`))).toBe(false);
    }
  });

  test("4. a body that ends early is a miss", async () => {
    server.inlineBytes = 0;
    server.intercept = (request, response) => {
      if (request.method !== "GET") return false;
      response.writeHead(200, { "content-length": bytes.length });
      response.write(bytes.subarray(0, 4), () => response.destroy());
      return true;
    };
    expect(await build()).toMatchObject({ isHit: false, warnings: [] });
  });

  test("4. an entry that was cut off on this machine's disk comes from the server again", async () => {
    expect((await build()).isHit).toBe(true);
    truncateSync(join(place, "machine", sha256(bytes).slice(0, 2), `${sha256(bytes)}-d`), 3);
    const { isHit, notes } = await build();
    expect(isHit).toBe(true);
    expect(notes).toContain(`hit ${known.slice(0, 8)} remote`);
  });
});

test("5. look-ups that come together share requests", async () => {
  const go = start("a");
  await Promise.all(Array.from({ length: 300 }, (_, index) => go.get(actionOf(`${index}`))));
  const finds = server.requests.filter((line) => line.startsWith("find"));
  expect(finds.length).toBeLessThan(20);
  expect(finds.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0)).toBe(300);
});

test("5. uploads that never end are given up, and said so", async () => {
  server.intercept = (request, response) => {
    if (request.method !== "PUT") return false;
    request.resume();
    // Slow, but never silent.
    const timer = setInterval(() => response.writeProcessing(), 50);
    response.on("close", () => clearInterval(timer));
    return true;
  };
  const go = start("a", { finishMs: 300 });
  for (let count = 0; count < 20; count++) await go.put(actionOf(`${count}`), Buffer.from(`${count}`));
  await go.close();
  expect(go.warnings).toEqual(["20 uploads did not finish within 0.3 s and were abandoned"]);
});

test("6. several processes share a folder", async () => {
  const machines = Array.from({ length: 4 }, () => start("shared"));
  const names = Array.from({ length: 60 }, (_, index) => `${index}`);
  await Promise.all(
    machines.map(async (go) => {
      for (const name of names) {
        const bytes = Buffer.from(name.repeat(5000));
        const answer = await go.get(actionOf(name));
        const { DiskPath } = answer.Miss ? await go.put(actionOf(name), bytes) : answer;
        expect(readFileSync(DiskPath!).equals(bytes)).toBe(true);
      }
    }),
  );
  await Promise.all(machines.map((go) => go.close()));
  const left = readdirSync(join(place, "shared"), { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => name.includes("/") && !/-[ad]$/.test(name))).toEqual([]);
});

test("6. a folder that cannot be written", async () => {
  writeFileSync(join(place, "file"), "");
  const go = start("file/below");
  const { DiskPath } = await go.put(actionOf("1"), Buffer.from("one"));
  await go.put(actionOf("2"), Buffer.from("two"));
  expect(readFileSync(DiskPath!, "utf8")).toBe("one");
  expect((await go.get(actionOf("1"))).DiskPath).toBe(DiskPath);
  expect(go.warnings).toEqual([
    expect.stringMatching(/below cannot be written \(ENOTDIR\), using a temporary directory$/),
  ]);
  await go.close();
  expect(existsSync(DiskPath!)).toBe(false);
  expect(server.entries.size).toBe(2);
});

test("6. without a server it works with the folder", async () => {
  const go = start("alone", { origin: undefined });
  await go.put(actionOf("1"), Buffer.from("one"));
  expect((await go.get(actionOf("1"))).Size).toBe(3);
  expect((await go.get(actionOf("2"))).Miss).toBe(true);
  await go.close();
});

test("7. what no one used goes", async () => {
  const folder = join(place, "old");
  const go = start("old", { origin: undefined });
  for (const name of ["old", "used", "new"]) await go.put(actionOf(name), Buffer.from(name));
  const day = 24 * 60 * 60;
  const now = Date.now() / 1000;
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /-[ad](\.|$)/.test(name));
  for (const name of files()) {
    const isNew = name.includes(actionOf("new")) || name.includes(sha256("new"));
    if (!isNew) utimesSync(join(folder, name), now - 6 * day, now - 6 * day);
  }
  mkdirSync(join(folder, "ff"), { recursive: true });
  writeFileSync(join(folder, "ff", "crashed-d.123-1-x"), "");
  utimesSync(join(folder, "ff", "crashed-d.123-1-x"), now - 6 * day, now - 6 * day);
  const { DiskPath } = await go.get(actionOf("used"));
  expect(statSync(DiskPath!).mtimeMs / 1000).toBeGreaterThan(now - 60);
  await trim(folder);
  expect(files()).toHaveLength(4);
  expect((await go.get(actionOf("old"))).Miss).toBe(true);
  expect((await go.get(actionOf("used"))).Size).toBe(4);
  // Once a day.
  utimesSync(DiskPath!, now - 6 * day, now - 6 * day);
  await trim(folder);
  expect(files()).toHaveLength(4);
  await trim(folder, Date.now() + 2 * day * 1000);
  expect(files()).toHaveLength(3);
  await go.close();
});
