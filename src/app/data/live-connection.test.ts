/**
 * 1. One stream at a time. Changes come in batches, one for each frame, in order; events of a closed stream are ignored.
 * 2. Lost: it reconnects after growing pauses of at most 30 seconds, from its last position, and immediately on request.
 *    Silence is a loss. It reports since when it is lost, and when the last message came.
 * 3. Whatever the order of errors, messages, waits and returns, there is at most one open stream, and one is open or due
 *    as long as it is neither paused, ended nor stopped.
 * 4. Too much missed: everything is read again, and waiting events are dropped. The same happens when a page is not painted.
 * 5. After bye nothing is requested until someone has signed in; or, if newer pages replaced it, until the page is viewed.
 * 6. Each event is in the list of latest events once, ordered by number.
 * 7. A page that came with a cursor starts from it on every attempt, until the server sends another cursor.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinLatest } from "./latest-events.ts";
import { type Live, LiveConnection, type LiveEvent } from "./live-connection.ts";

type Listener = (event: { data?: unknown; lastEventId?: string }) => void;

class FakeSource {
  readonly address: string;
  readyState = 0;
  isClosed = false;
  readonly #listeners = new Map<string, Listener>();

  constructor(address: string) {
    this.address = address;
  }

  addEventListener(type: string, listener: Listener) {
    this.#listeners.set(type, listener);
  }

  close() {
    this.isClosed = true;
  }

  say(type: string, data: object = {}, lastEventId = "") {
    this.#listeners.get(type)?.({ data: JSON.stringify(data), lastEventId });
  }

  fail(readyState = 0) {
    this.readyState = readyState;
    this.#listeners.get("error")?.({});
  }
}

function open(since: string | null = null) {
  const sources: FakeSource[] = [];
  const timers = new Map<number, { at: number; run: () => void }>();
  const frames: (() => void)[] = [];
  const got: string[][] = [];
  const calls: string[] = [];
  let now = 0;
  let count = 0;
  let live: Live = { state: "connecting", since: null, lastAt: null };
  const connection = new LiveConnection(
    { organization: "acme & co", since },
    {
      open(address) {
        const source = new FakeSource(address);
        sources.push(source);
        return source;
      },
      now: () => now,
      after(ms, run) {
        const id = (count += 1);
        timers.set(id, { at: now + ms, run });
        return () => void timers.delete(id);
      },
      nextFrame: (run) => void frames.push(run),
      random: () => 1,
    },
    {
      onState: (next) => (live = next),
      onChanges: (events) => void got.push(events.map(({ id }) => id)),
      onReset: () => void calls.push("reset"),
      onEnd: (code) => void calls.push(`end ${code}`),
      onRefused: () => void calls.push("refused"),
    },
  );
  const wait = (ms: number) => {
    for (const end = now + ms; ;) {
      const next = [...timers].sort(([, a], [, b]) => a.at - b.at).find(([, { at }]) => at <= end);
      if (!next) {
        now = end;
        return;
      }
      timers.delete(next[0]);
      now = next[1].at;
      next[1].run();
    }
  };
  return {
    connection,
    sources,
    got,
    calls,
    timers,
    wait,
    paint: () => frames.splice(0).forEach((run) => run()),
    get source() {
      return sources.at(-1)!;
    },
    get live() {
      return live;
    },
  };
}

const change = (id: string): LiveEvent => ({
  id,
  at: "2026-11-20T14:32:00Z",
  kind: "project.create",
  subject: null,
  project: null,
  by: null,
  by_id: null,
  text: null,
  refused: false,
});

test("1. batches", () => {
  const page = open();
  expect(page.source.address).toBe("/app/acme%20%26%20co/events");
  page.source.say("hello", { last: "1.a" });
  expect(page.live).toEqual({ state: "live", since: null, lastAt: 0 });
  for (const id of ["2", "3"]) page.source.say("change", change(id), `${id}.b`);
  expect(page.got).toEqual([]);
  page.paint();
  page.source.say("change", change("4"), "4.b");
  page.paint();
  page.paint();
  expect(page.got).toEqual([["2", "3"], ["4"]]);
  const former = page.source;
  former.fail();
  former.say("change", change("5"), "5.b");
  page.paint();
  expect(page.got.length).toBe(2);
  expect(former.isClosed).toBe(true);
});

test("7. from where the page was", () => {
  const page = open("1f.a");
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(page.source.address).toBe("/app/acme%20%26%20co/events?since=1f.a");
    page.source.fail();
    page.wait(30_000);
  }
  page.connection.pause();
  page.connection.reconnect();
  expect(page.source.address).toContain("?since=1f.a");
  page.source.say("hello", { last: "2g.b" });
  page.source.fail();
  page.wait(1_000);
  expect(page.source.address).toContain("?since=2g.b");
});

test("2. lost and back", () => {
  const page = open();
  page.source.say("hello", { last: "1.a" });
  page.wait(5_000);
  page.source.say("change", change("2"), "2.b");
  page.wait(1_000);
  page.source.fail();
  expect(page.live).toEqual({ state: "lost", since: 6_000, lastAt: 5_000 });
  expect(page.calls).toEqual([]);
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    const before = page.sources.length;
    let waited = 0;
    for (; page.sources.length === before; waited += 500) page.wait(500);
    pauses.push(waited);
    expect(page.source.address).toBe("/app/acme%20%26%20co/events?since=2.b");
    page.source.fail(2);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(page.calls).toEqual(Array(7).fill("refused"));
  expect(page.live).toMatchObject({ state: "lost", since: 6_000 });
  const before = page.sources.length;
  page.connection.reconnect();
  expect(page.sources.length).toBe(before + 1);
  page.source.say("hello", { last: "9.c" });
  expect(page.live).toMatchObject({ state: "live", since: null });
  page.connection.reconnect();
  expect(page.sources.length).toBe(before + 1);
  page.wait(30_000);
  page.source.say("ping", { last: "9.d" });
  page.wait(39_999);
  expect(page.live.state).toBe("live");
  page.wait(1);
  expect(page.live.state).toBe("lost");
  page.wait(1_000);
  expect(page.source.address).toContain("since=9.d");
});

test("3. one stream, whatever happens", () => {
  const action = fc.oneof(
    fc.constantFrom(
      "hello",
      "change",
      "ping",
      "too-old",
      "error",
      "refused",
      "reconnect",
      "resume",
      "pause",
      "paint",
      "bye",
    ),
    fc.integer({ min: 1, max: 50_000 }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const page = open();
      let isPaused = false;
      for (const each of actions) {
        if (typeof each === "number") page.wait(each);
        else if (each === "error") page.source.fail();
        else if (each === "refused") page.source.fail(2);
        else if (each === "paint") page.paint();
        else if (each === "reconnect" || each === "resume" || each === "pause") page.connection[each]();
        else
          page.source.say(
            each,
            each === "change" ? change("1") : { last: "1.a", code: "unauthenticated" },
            "1.a",
          );
        if (each === "pause" && page.live.state !== "ended") isPaused = true;
        if (each === "reconnect" || each === "resume") isPaused = false;
        const openSources = page.sources.filter(({ isClosed }) => !isClosed).length;
        expect(openSources).toBeLessThanOrEqual(1);
        if (page.live.state === "ended") expect(openSources + page.timers.size).toBe(0);
        else if (!isPaused) expect(openSources + page.timers.size).toBeGreaterThan(0);
      }
      page.connection.stop();
      expect(page.sources.every(({ isClosed }) => isClosed)).toBe(true);
      expect(page.timers.size).toBe(0);
    }),
  );
});

test("4. too much", () => {
  const page = open();
  page.source.say("hello", { last: "1.a" });
  page.source.say("change", change("2"), "2.a");
  page.source.say("too-old", { last: "7.a" });
  page.paint();
  expect([page.calls, page.got]).toEqual([["reset"], []]);
  for (let id = 8; id < 1_008; id += 1) page.source.say("change", change(String(id)), `${id}.a`);
  page.paint();
  expect([page.calls, page.got]).toEqual([["reset", "reset"], []]);
  page.source.fail();
  page.wait(1_000);
  expect(page.source.address).toContain("since=1007.a");
});

test("5. bye", () => {
  const page = open();
  page.source.say("hello", { last: "1.a" });
  page.source.say("bye", { code: "unauthenticated" });
  expect(page.calls).toEqual(["end unauthenticated"]);
  page.wait(100_000);
  page.connection.reconnect();
  expect([page.sources.length, page.live.state]).toEqual([1, "ended"]);
  page.connection.resume();
  page.source.say("hello", { last: "2.a" });
  expect([page.sources.length, page.live.state]).toEqual([2, "live"]);
});

test("5. newer pages", () => {
  const page = open();
  page.source.say("hello", { last: "1.a" });
  page.source.say("bye", { code: "resource_exhausted" });
  page.wait(100_000);
  expect([page.calls, page.sources.length, page.live.state]).toEqual([[], 1, "paused"]);
  page.connection.reconnect();
  expect(page.source.address).toContain("since=1.a");
  page.source.say("hello", { last: "2.a" });
  expect([page.sources.length, page.live.state]).toEqual([2, "live"]);
});

test("6. latest events", () => {
  const latest = joinLatest(["09", "10", "08"].map(change), ["10", "11"].map(change));
  expect(latest.map(({ id }) => id)).toEqual(["08", "09", "10", "11"]);
  const many = Array.from({ length: 30 }, (_, index) => change(String(index + 10)));
  expect(joinLatest(many, []).map(({ id }) => id)).toEqual(many.slice(10).map(({ id }) => id));
});
