/**
 * 1. Lists and contents of folders are read from a session as a client's HTTP/2 sends them, wherever its bytes are cut.
 * 2. Headers of requests are read as Node's own HTTP/2 reads them, whatever came before.
 * 3. Any bytes are accepted without an error; incomplete data is not reported as whole.
 * 4. Files beyond the limits are not kept, and the memory of a build that has ended is free for others.
 * 5. Two folders with one name are not mixed.
 * 6. The values of secrets are read from a session before its last byte has come, wherever its bytes are cut and whatever else it
 *    carries; unreadable sessions are reported, and secrets that are too large end the build.
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { createHeaderReader } from "./hpack.ts";
import { MAX_SECRET_BYTES, MAX_SEEN_FILES, MAX_SEEN_NAMES } from "./limits.ts";
import { createSeenFiles, type SeenFiles } from "./seen-files.ts";
import { createFrameSplitter } from "./split-frames.ts";
import { type Exchange, openExchange } from "../testing/exchange.ts";
import { GET_SECRET, watchSession, type Watched } from "./watch-session.ts";

const DIFF_COPY = "/moby.filesync.v1.FileSync/DiffCopy";
const FILE_MODE = 0o644;

/** fsutil's packets. */
const packet = (fields: (writer: BinaryWriter) => void) => {
  const writer = new BinaryWriter();
  fields(writer);
  return frameMessage(writer.finish());
};
const statPacket = (path: string, size: number, modifiedAt = 5) => {
  const stat = new BinaryWriter();
  stat.tag(1, WireType.LengthDelimited).string(path);
  stat.tag(2, WireType.Varint).uint32(FILE_MODE);
  stat.tag(5, WireType.Varint).int64(size);
  stat.tag(6, WireType.Varint).int64(modifiedAt);
  return packet((writer) => writer.tag(2, WireType.LengthDelimited).bytes(stat.finish()));
};
const listEnd = packet(() => undefined);
const dataPacket = (id: number, data: Uint8Array) =>
  packet((writer) => {
    writer.tag(1, WireType.Varint).uint32(2);
    if (id > 0) writer.tag(3, WireType.Varint).uint32(id);
    if (data.length > 0) writer.tag(4, WireType.LengthDelimited).bytes(data);
  });

interface Sent {
  path: string;
  content: Uint8Array;
  isAsked: boolean;
}

function packetsOf(files: readonly Sent[]): Buffer[] {
  const list = files.map(({ path, content }) => statPacket(path, content.length));
  const data = files.flatMap(({ content, isAsked }, id) => {
    if (!isAsked) return [];
    const half = Math.floor(content.length / 2);
    const parts = [content.subarray(0, half), content.subarray(half)].filter(({ length }) => length > 0);
    return [...parts, new Uint8Array()].map((part) => dataPacket(id, part));
  });
  return [...list, listEnd, ...data];
}

/** A session's bytes in both directions, in order, as messages of BuildKit's `BytesMessage`. */
function wrap(exchange: Exchange) {
  return exchange.parts.map(({ from, bytes }) => {
    const writer = new BinaryWriter();
    writer.tag(1, WireType.LengthDelimited).bytes(bytes);
    return { from, bytes: frameMessage(writer.finish()) };
  });
}

const unheard = { onSecret: () => undefined, onUnread: () => undefined };

function watch(
  parts: ReturnType<typeof wrap>,
  cuts: readonly number[],
  seen: SeenFiles,
  heard: Partial<Watched> = {},
): void {
  const session = watchSession({ ...unheard, seen, ...heard });
  let turn = 0;
  for (const { from, bytes } of parts) {
    for (let at = 0; at < bytes.length;) {
      const length = cuts[turn++ % cuts.length] ?? bytes.length;
      const part = bytes.subarray(at, at + length);
      if (from === "builder") session.fromBuilder(part);
      else session.fromClient(part);
      at += length;
    }
  }
  session.end();
}

const sent = fc.uniqueArray(
  fc.record({
    path: fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
    content: fc.uint8Array({ maxLength: 3000 }),
    isAsked: fc.boolean(),
  }),
  { selector: ({ path }) => path, maxLength: 12 },
);

const send = (folder: string, files: readonly Sent[]) =>
  openExchange([{ headers: { ":path": DIFF_COPY, "dir-name": folder }, answer: packetsOf(files) }]);

test("1. lists and contents", async () => {
  await fc.assert(
    fc.asyncProperty(
      sent,
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1 }),
      async (files, cuts) => {
        const seen = createSeenFiles();
        watch(wrap(await send("context", files)), cuts, seen);
        const { context } = seen.folders();
        expect(context?.isWhole).toBe(true);
        expect([...(context?.files.keys() ?? [])]).toStrictEqual(files.map(({ path }) => path));
        for (const { path, content, isAsked } of files) {
          const file = context?.files.get(path);
          expect(file).toMatchObject({ mode: FILE_MODE, size: content.length, modifiedAt: "5" });
          expect(file?.digest === null).toBe(!isAsked);
        }
        seen.release();
      },
    ),
    { numRuns: 25 },
  );
});

test("1. contents are told apart", async () => {
  const digestOf = async (text: string) => {
    const seen = createSeenFiles();
    watch(
      wrap(await send("context", [{ path: "a", content: Buffer.from(text), isAsked: true }])),
      [1000],
      seen,
    );
    return seen.folders()["context"]?.files.get("a")?.digest;
  };
  const first = await digestOf("one text");
  expect(await digestOf("one text")).toBe(first);
  expect(await digestOf("one test")).not.toBe(first);
});

test("2. heads of requests", async () => {
  const name = fc.stringMatching(/^x-[a-z0-9]{1,12}$/);
  const value = fc
    .string({ unit: "binary-ascii", maxLength: 60 })
    .map((text) => text.replaceAll(/[^!-~]/g, "_"));
  const heads = fc.array(fc.dictionary(name, value, { maxKeys: 8 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(heads, async (all) => {
      const requests = all.map((headers) => ({ headers: { ":path": "/a.B/C", ...headers }, answer: [] }));
      const { parts, asked } = await openExchange(requests);
      const reader = createHeaderReader();
      const read: string[][] = [];
      const split = createFrameSplitter(
        {
          onHeaders: (_stream, block) => void read.push(reader.read(block).flat()),
          onData: () => undefined,
          onEnd: () => undefined,
        },
        true,
      );
      for (const { from, bytes } of parts) if (from === "builder") split(bytes);
      expect(read).toStrictEqual(asked);
    }),
    { numRuns: 40 },
  );
});

test("3. any bytes", async () => {
  const parts = wrap(await send("context", [{ path: "a", content: Buffer.alloc(500), isAsked: true }]));
  const flip = fc.record({
    part: fc.nat(parts.length - 1),
    at: fc.nat(700),
    byte: fc.nat(255),
    cut: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(flip, ({ part, at, byte, cut }) => {
      const broken = parts.map(({ from, bytes }, index) => {
        const copy = Buffer.from(bytes);
        if (index === part) copy[at % copy.length] = byte;
        return { from, bytes: copy };
      });
      watch(broken, [cut], createSeenFiles());
    }),
    { numRuns: 500 },
  );
  const seen = createSeenFiles();
  const unfinished = await openExchange([
    { headers: { ":path": DIFF_COPY, "dir-name": "context" }, answer: [statPacket("a", 1)] },
  ]);
  watch(wrap(unfinished), [100], seen);
  expect(seen.folders()["context"]).toMatchObject({ isWhole: false });
});

test("3. heads of messages without data", async () => {
  // Each message has one byte, and together they are empty frames.
  const messages = Buffer.alloc(16_000, Buffer.from([0, 0, 0, 0, 3, 0x0a, 1, 0]));
  const isFollowed = async (count: number) => {
    const seen = createSeenFiles();
    const session = watchSession({ ...unheard, seen });
    const parts = wrap(await send("context", []));
    for (const { from, bytes } of parts) if (from === "builder") session.fromBuilder(bytes);
    for (let at = 0; at < count; at += 1) session.fromClient(messages);
    return seen.folders()["context"]?.isWhole;
  };
  expect(await isFollowed(10)).toBe(true);
  expect(await isFollowed(100)).toBe(false);
});

test("4. too many files", () => {
  const file = () => ({ mode: FILE_MODE, size: 0, modifiedAt: "1", link: "", digest: null });
  const fill = (seen: SeenFiles) => {
    const folder = seen.open("context");
    for (let at = 0; at < MAX_SEEN_FILES + 1; at += 1) folder?.addFile(`f${at}`, file());
    folder?.endList();
    return seen.folders()["context"];
  };
  for (let round = 0; round < 8; round += 1) {
    const seen = createSeenFiles();
    const context = fill(seen);
    expect([context?.files.size, context?.isWhole]).toStrictEqual([MAX_SEEN_FILES, false]);
    seen.release();
    expect(fill(seen)?.files.size).toBe(0);
  }
});

test("4. long links, and long names of folders", () => {
  const seen = createSeenFiles();
  const link = "l".repeat(60_000);
  const folder = seen.open("context");
  for (let at = 0; at < 100; at += 1)
    folder?.addFile(`f${at}`, { mode: FILE_MODE, size: 0, modifiedAt: "1", link, digest: null });
  folder?.endList();
  const { context } = seen.folders();
  expect(context?.isWhole).toBe(false);
  expect(context?.files.size).toBe(Math.floor(MAX_SEEN_NAMES / link.length));
  for (let at = 0; at < 10; at += 1) seen.open(`${at}${link}`);
  expect(Object.keys(seen.folders())).toHaveLength(1);
  seen.release();
});

test("5. two folders of one name", async () => {
  const seen = createSeenFiles();
  for (const text of ["one", "other one"])
    watch(
      wrap(await send("context", [{ path: "Dockerfile", content: Buffer.from(text), isAsked: true }])),
      [64],
      seen,
    );
  expect(seen.folders()).toStrictEqual({});
});

const secretOf = (value: Uint8Array) =>
  packet((writer) => writer.tag(1, WireType.LengthDelimited).bytes(value));
const openSecrets = (answers: readonly Buffer[][]) =>
  openExchange(answers.map((answer) => ({ headers: { ":path": GET_SECRET }, answer })));

test("6. secrets", async () => {
  const values = fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 4 });
  const cuts = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(values, sent, cuts, async (all, files, at) => {
      const exchange = await openExchange([
        { headers: { ":path": DIFF_COPY, "dir-name": "context" }, answer: packetsOf(files) },
        // A missing secret has no message.
        { headers: { ":path": GET_SECRET }, answer: [] },
        ...all.map((value) => ({ headers: { ":path": GET_SECRET }, answer: [secretOf(value)] })),
      ]);
      const found: Buffer[] = [];
      const onSecret = (value: Uint8Array) => void found.push(Buffer.from(value));
      watch(wrap(exchange), at, createSeenFiles(), { onSecret });
      expect(found).toEqual(all.map((value) => Buffer.from(value)));
    }),
    { numRuns: 25 },
  );
});

test("6. secrets beside a folder that cannot be read", async () => {
  const compressed = Buffer.from([1, 0, 0, 0, 1, 0]);
  const exchange = await openExchange([
    { headers: { ":path": DIFF_COPY, "dir-name": "context" }, answer: [compressed] },
    { headers: { ":path": GET_SECRET }, answer: [secretOf(Buffer.from("hunter2"))] },
  ]);
  const found: string[] = [];
  let unread = 0;
  const onSecret = (value: Uint8Array) => void found.push(Buffer.from(value).toString());
  const seen = createSeenFiles();
  watch(wrap(exchange), [100], seen, { onSecret, onUnread: () => void (unread += 1) });
  expect([found, unread, seen.folders()["context"]?.isWhole]).toEqual([["hunter2"], 0, false]);
});

test("6. secrets that cannot be read, and too large ones", async () => {
  const counts = { unread: 0, secrets: 0 };
  const heard = {
    onSecret: () => void (counts.secrets += 1),
    onUnread: () => void (counts.unread += 1),
  };
  for (const answer of [Buffer.from([1, 0, 0, 0, 1, 0]), packet((writer) => writer.raw(Buffer.from([0xff])))])
    watch(wrap(await openSecrets([[answer]])), [100], createSeenFiles(), heard);
  expect(counts).toEqual({ unread: 2, secrets: 0 });
  watch(
    wrap(await openSecrets([[secretOf(Buffer.alloc(MAX_SECRET_BYTES))]])),
    [9999],
    createSeenFiles(),
    heard,
  );
  expect(counts.secrets).toBe(1);
  const large = wrap(await openSecrets([[secretOf(Buffer.alloc(MAX_SECRET_BYTES + 100))]]));
  expect(() => watch(large, [9999], createSeenFiles(), heard)).toThrow("A secret can have at most 500 KB.");
});
