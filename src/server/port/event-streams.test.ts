/**
 * 1. Over HTTP/1.1 and HTTP/2 a stream's greeting and every change arrive immediately and uncompressed, whatever encodings a
 *    client accepts.
 * 2. A reader without new events keeps its stream as long as it likes.
 * 3. A reader that does not take the events loses its stream; others do not.
 * 4. When the server stops, streams end immediately, and nothing waits for them.
 * 5. A reader that leaves at any moment no longer has a stream: a client that connects and leaves many times is never refused,
 *    and none of its streams stay in memory. A request for headers only (HEAD) opens none.
 * 6. A member who is removed while reading gets a goodbye, and nothing of later events.
 * 7. An invalid position in the stream (garbage, huge, from another time) is answered by reading everything again; too many or
 *    too large headers are refused. None of it leaves a stream.
 */
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { countKeptStreams } from "#accounts/testing/events.ts";
import { createEventRoutes, createProject, removeMember } from "#accounts/index.ts";
import { makePerson, openTestAccounts } from "#accounts/testing/accounts.ts";
import { guardConnections } from "#platform/http/connections/connections.ts";
import { connectRaw, get } from "#platform/http/raw-client.ts";
import { createApp } from "../app.ts";
import { createEdge } from "../edge.ts";
import { connectionLimits, SERVER_TIMES } from "../limits.ts";
import { listen } from "./listen.ts";
import { ProtocolServer } from "./protocols.ts";
import { openTestRuntime } from "../testing/runtime.ts";
import { houseOf } from "../testing/house.ts";

const EVENTS = "/app/acme/events";
/** Kept of a reader's text: more than the greeting and a few changes. */
const KEPT = 4_096;
const DAY_MS = 24 * 60 * 60_000;

async function open() {
  const place = await openTestAccounts("sqlite", { origin: "http://localhost:3000" });
  const { accounts } = place;
  const { app: events, streams } = createEventRoutes(accounts);
  const nothing = createEventRoutes(accounts).app;
  const opened = await openTestRuntime({ accountApps: { people: nothing, api: nothing, events } });
  const ada = await makePerson(place, "ada", { organization: "acme" });
  const organizationId = ada.caller.actor.organizationId ?? "";
  const ben = await makePerson(place, "ben", { organizationId, role: "member" });
  // Node.js's default of five seconds would close idle connections while the test counts memory.
  const { keepAliveTimeout } = SERVER_TIMES;
  const server = new ProtocolServer({ http1: { keepAliveTimeout } });
  const time = { now: 0 };
  const limits = connectionLimits(1024, 20);
  const connections = guardConnections(server, { limits, clock: () => time.now });
  server.onCarrier("session", connections.begin);
  const app = createApp(houseOf(opened.runtime), createEdge({ connections }));
  await listen(app, "127.0.0.1", 0, { server, connections });
  const { port } = server.address() as AddressInfo;
  const cookieOf = (person: typeof ada) => `millrace-session=${person.cookie}`;
  const cookie = cookieOf(ada);

  function openHttp2() {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = session.request({ ":path": EVENTS, cookie, "accept-encoding": "gzip, br" });
    // For a stream that ends before its answer.
    stream.on("error", () => {});
    let text = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => (text = (text + chunk).slice(-KEPT)));
    const headers = new Promise<Record<string, unknown>>((resolve) => stream.once("response", resolve));
    const ended = new Promise<void>((resolve) => stream.once("close", resolve));
    const until = async (wanted: string) => {
      while (!text.includes(wanted)) await new Promise((resolve) => stream.once("data", resolve));
      return text;
    };
    return { session, stream, headers, ended, until };
  }

  return {
    accounts,
    ada,
    ben,
    organizationId,
    streams,
    server,
    ask: (address: string, { as = ada, lines = [] }: { as?: typeof ada; lines?: string[] } = {}) =>
      connectRaw(port, get(address, `Cookie: ${cookieOf(as)}`, ...lines)),
    askHead: () => fetch(`http://127.0.0.1:${port}${EVENTS}`, { method: "HEAD", headers: { cookie } }),
    connections,
    time,
    openHttp1: () => connectRaw(port, get(EVENTS, `Cookie: ${cookie}`, "Accept-Encoding: gzip, br")),
    openHttp2,
    fetch: (signal: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}${EVENTS}`, { signal, headers: { cookie } }),
    async write(subject: string, text = "", count = 1) {
      const row = {
        organization_id: organizationId,
        time: accounts.clock(),
        kind: "project.create",
        subject,
        text,
      };
      const rest = { project_id: null, actor: "ada", actor_id: "usr_ada", is_refused: 0 as const };
      const rows = Array.from({ length: count }, () => ({ ...row, ...rest }));
      await accounts.db.insertInto("events").values(rows).execute();
      await accounts.events.poll();
    },
    async [Symbol.asyncDispose]() {
      await streams.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await opened.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

test("1. and 2. both protocols", async () => {
  await using place = await open();
  const old = await place.openHttp1();
  const head = await old.until("event: hello");
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head).toMatch(/x-accel-buffering: no/i);
  expect(head).not.toMatch(/content-encoding/i);
  const current = place.openHttp2();
  expect(await current.headers).toMatchObject({
    ":status": 200,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  await current.until("event: hello");
  for (const subject of ["one", "two"]) {
    await place.write(subject);
    await Promise.all([old.until(`"subject":"${subject}"`), current.until(`"subject":"${subject}"`)]);
    // The guard pings a silent HTTP/2 client, whose library replies.
    place.time.now += 40_000;
    place.connections.sweep();
  }
  expect(place.streams.size).toBe(2);
  old.socket.destroy();
  current.session.destroy();
});

test("3. a reader that takes nothing", async () => {
  await using place = await open();
  const slow = await place.openHttp1();
  const quick = place.openHttp2();
  await quick.until("event: hello");
  // Not read from here on: the system buffers some megabytes first.
  slow.socket.pause();
  const isDropped = () => new Map(place.streams.ends).get("slow") === 1;
  for (let round = 0; !isDropped() && round < 100; round += 1) {
    await place.write(`many ${round}`, "x".repeat(300), 500);
    await place.write(`end of ${round}`);
    await quick.until(`"subject":"end of ${round}"`);
  }
  expect(isDropped()).toBe(true);
  expect(place.streams.size).toBe(1);
  await place.write("last");
  await quick.until('"subject":"last"');
  quick.session.destroy();
  slow.socket.destroy();
});

test("4. the server stops", async () => {
  await using place = await open();
  const old = await place.openHttp1();
  await old.until("event: hello");
  const current = place.openHttp2();
  await current.until("event: hello");
  place.time.now += DAY_MS;
  const closed = new Promise<void>((resolve) => place.server.close(() => resolve()));
  // Like `start.ts` when it stops.
  place.streams.end();
  place.connections.drain();
  await Promise.all([old.ended(), current.ended]);
  current.session.close();
  await closed;
  expect(new Map(place.streams.ends).get("stopped")).toBe(2);
});

test("5. readers that go away", async () => {
  await using place = await open();
  const isLeft = () => expect.poll(() => place.streams.size, { interval: 1, timeout: 5_000 }).toBe(0);
  for (let round = 0; round < 30; round += 1) {
    const old = await place.openHttp1();
    const current = place.openHttp2();
    // Half of them before the greeting.
    if (round % 2 === 0) {
      expect(await old.until("event: hello")).toMatch(/^HTTP\/1\.1 200 /);
      await current.until("event: hello");
    }
    if (round % 3 === 0) old.socket.resetAndDestroy();
    else old.socket.destroy();
    if (round % 3 === 0) current.stream.close();
    else current.session.destroy();
    if (round % 2 === 0) await isLeft();
    current.session.destroy();
  }
  await isLeft();
  expect(new Map(place.streams.ends).get("slow")).toBeUndefined();
  // A program that reads a little and stops.
  for (let round = 0; round < 30; round += 1) {
    const control = new AbortController();
    const answer = await place.fetch(control.signal);
    expect(answer.status).toBe(200);
    await answer.body?.getReader().read();
    control.abort();
    await isLeft();
  }
});

test("5. nothing stays of sixty streams", { timeout: 60_000 }, async () => {
  await using place = await open();
  const isLeft = () => expect.poll(() => place.streams.size, { interval: 1, timeout: 5_000 }).toBe(0);
  for (let round = 0; round < 60; round += 1) {
    const control = new AbortController();
    const answer = await place.fetch(control.signal);
    expect(answer.status).toBe(200);
    if (round % 2 === 0) await answer.body?.getReader().read();
    control.abort();
  }
  await isLeft();
  // Twenty at a time, so that the oldest make room for others.
  const controls = Array.from({ length: 60 }, () => new AbortController());
  // A stream that makes room before its answer was sent ends with its connection.
  await Promise.allSettled(controls.map(({ signal }) => place.fetch(signal)));
  expect(place.streams.size).toBe(20);
  for (const control of controls) control.abort();
  await isLeft();
  // Objects held by the last turn of the event loop disappear with it; a leak stays. The count walks through all of memory.
  await expect.poll(countKeptStreams, { timeout: 20_000 }).toBe(0);
  for (let round = 0; round < 30; round += 1) {
    const answer = await place.askHead();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
  }
  expect(place.streams.size).toBe(0);
});

test("6. removed while reading", async () => {
  await using place = await open();
  const { accounts, ada, ben, organizationId } = place;
  const [owner, member] = await Promise.all([place.ask(EVENTS), place.ask(EVENTS, { as: ben })]);
  await Promise.all([owner, member].map((each) => each.until("event: hello")));
  await createProject(accounts, ada.caller, { name: "before" });
  await Promise.all([owner, member].map((each) => each.until("project before created")));
  await removeMember(accounts, ada.caller, { organization: organizationId, userId: ben.userId });
  await createProject(accounts, ada.caller, { name: "afterwards" });
  const all = await owner.until("project afterwards created");
  expect(all).toContain("ben is no longer a member");
  const got = await member.until("event: bye");
  await expect.poll(() => place.streams.size).toBe(1);
  expect(got).toMatch(/event: bye\ndata: \{"code":"not_found"\}/);
  for (const other of ["afterwards", "member.remove"]) expect(member.read()).not.toContain(other);
  const again = await place.ask(`${EVENTS}?since=0.0`, { as: ben });
  expect(await again.until("not_found")).toMatch(/^HTTP\/1\.1 404 /);
  for (const each of [owner, member, again]) each.socket.destroy();
});

test("7. what is not a place in the stream", async () => {
  await using place = await open();
  const far = "z".repeat(10);
  const places = [
    "x",
    "-1.-1",
    "1e9.1",
    "%00.%0A",
    "../..",
    `${far}.1`,
    `1.${"z".repeat(9)}`,
    "9".repeat(7_000),
  ];
  for (const text of [...places, "", "0.0"]) {
    const asked = await place.ask(`${EVENTS}?since=${text}`);
    const got = await asked.until(text === "" ? "event: hello" : "event: ");
    expect([text, got.slice(0, 12)]).toEqual([text, "HTTP/1.1 200"]);
    if (/^(?:x|-|1e|%|\.|z|9|0)/.test(text)) await asked.until("event: too-old");
    asked.socket.destroy();
  }
  const byHeader = await place.ask(EVENTS, { lines: [`Last-Event-ID: ${"9".repeat(7_000)}`] });
  await byHeader.until("event: too-old");
  byHeader.socket.destroy();
  const many = Array.from({ length: 200 }, (_, index) => `X-${index}: 1`);
  for (const lines of [many, [`Last-Event-ID: ${"9".repeat(20_000)}`], [`Cookie: a=${"b".repeat(20_000)}`]]) {
    const flood = await place.ask(EVENTS, { lines });
    expect(await flood.until("HTTP/1.1")).toMatch(/^HTTP\/1\.1 4\d\d /);
    flood.socket.destroy();
  }
  await expect.poll(() => place.streams.size).toBe(0);
});
