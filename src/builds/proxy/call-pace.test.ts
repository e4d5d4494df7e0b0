/**
 * Calls of builders' clients before they have a turn:
 *
 * 1. One call of a connection waits at the gate, however many the connection has; they continue in order, and a call whose client
 *    has left takes no turn.
 * 2. A connection that has waited is not delayed afterwards.
 * 3. A call whose client left, or whose build ended, while it waited claims nothing; nor does a connection that ends with its
 *    build.
 */
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { workGate } from "#platform/fair/work-gate.ts";
import { CALL_BYTES, createCallPace } from "./pass-bytes.ts";
import { ask, CONTROL, open, useTestProxy } from "../testing/proxy.ts";

/** Builds that have names at a builder. */
const claiming = vi.hoisted(() => new Set<string>());
vi.mock("./claims.ts", async (original) => {
  const real = await original<typeof import("./claims.ts")>();
  return {
    ...real,
    createNames() {
      const names = real.createNames();
      return {
        ...names,
        of(socket: string, buildId: string) {
          claiming.add(buildId);
          return names.of(socket, buildId);
        },
        end(buildId: string) {
          claiming.delete(buildId);
          names.end(buildId);
        },
      };
    },
  };
});

const place = useTestProxy();
const ALLOWED = `${CONTROL}ListWorkers`;
/** The gate's promises to calls. */
let turns: PromiseWithResolvers<void>[] = [];
let isOpen = false;

beforeEach(() => {
  [turns, isOpen] = [[], false];
  vi.spyOn(workGate, "pace").mockImplementation((_, bytes) => {
    if (isOpen || bytes !== CALL_BYTES) return undefined;
    turns.push(Promise.withResolvers<void>());
    return turns.at(-1)!.promise;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const id of place().builds.keys()) place().proxy.cut(id);
  place().builds.clear();
  claiming.clear();
});

test("1. in their order", async () => {
  const pace = createCallPace();
  const gone = new Set([2, 3]);
  const went: number[] = [];
  for (let at = 0; at < 6; at += 1)
    void pace("org_a", () => gone.has(at))!.then(() => gone.has(at) || went.push(at));
  for (const [at, all] of [[0], [0, 1], [0, 1, 4], [0, 1, 4, 5]].entries()) {
    expect(turns).toHaveLength(at + 1);
    turns[at]!.resolve();
    await setImmediate();
    expect(went).toEqual(all);
  }
  expect(turns).toHaveLength(4);
});

test("1. of two connections", async () => {
  place().builds.set("bld_a", place().live());
  const clients = [await place().client("bld_a"), await place().client("bld_a")];
  const looked = vi.spyOn(place().builds, "get");
  const answers = clients.flatMap((client) => Array.from({ length: 50 }, () => ask(client, ALLOWED)));
  await vi.waitFor(() => expect(looked.mock.calls.length).toBeGreaterThanOrEqual(100), { timeout: 10_000 });
  expect(turns).toHaveLength(2);
  isOpen = true;
  for (const turn of turns) turn.resolve();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(0);
});

test("2. afterwards", async () => {
  const pace = createCallPace();
  const first = pace("org_a", () => false);
  isOpen = true;
  const second = pace("org_a", () => false);
  turns[0]!.resolve();
  await Promise.all([first, second]);
  await setImmediate();
  expect([first, second]).not.toContain(undefined);
  expect(pace("org_a", () => false)).toBeUndefined();
});

/** A client with a waiting call. */
async function wait() {
  const connections: number[] = [];
  place().builds.set("bld_a", place().live({ onConnections: (count) => void connections.push(count) }));
  const client = await place().client("bld_a");
  const stream = open(client, `${CONTROL}Session`, { "x-docker-expose-session-uuid": "s" });
  await vi.waitFor(() => expect(turns).toHaveLength(1), { timeout: 10_000 });
  const goOn = async () => {
    isOpen = true;
    turns[0]!.resolve();
    await setImmediate();
  };
  const end = () => {
    place().builds.delete("bld_a");
    place().proxy.cut("bld_a");
  };
  const isOver = () => vi.waitFor(() => expect(connections.at(-1)).toBe(0), { timeout: 10_000 });
  return { client, stream, goOn, end, isOver };
}

test("3. a client that left", async () => {
  const { client, stream, goOn } = await wait();
  stream.close();
  await promisify(client.ping.bind(client))();
  await goOn();
  expect(claiming).toEqual(new Set());
});

test("3. a build that ended", async () => {
  const { goOn, end, isOver } = await wait();
  end();
  await goOn();
  await isOver();
  expect(claiming).toEqual(new Set());
});

test("3. a connection that ends with its build", async () => {
  const { goOn, end, isOver } = await wait();
  await goOn();
  expect(claiming).toEqual(new Set(["bld_a"]));
  end();
  await isOver();
  expect(claiming).toEqual(new Set());
});
