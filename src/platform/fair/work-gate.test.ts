/**
 * On a simulated event loop, with a clock that only its work advances:
 *
 * 1. A holder that is alone never waits, however much it requests.
 * 2. A holder that floods has at most its share of the time while another is active, and all of it a while later. Next to
 *    strangers only, it has more.
 * 3. A light user waits for no more than one turn's work of the others, however much of theirs is waiting.
 * 4. Several holders that flood get equal time, whatever their requests cost, and each request is answered in the end.
 * 5. Costs that are wrong in the table for all change nothing: the charge is the loop's real busy time.
 * 6. Each holder has a bounded number of waiting requests, each for a bounded time; further requests are refused, but not those
 *    of other holders.
 * 7. A request whose client has left takes no turn, and does not displace a request whose client is still there.
 * 8. Bytes are charged, and paced when there are too many; parts of bodies are never refused, and alternate with requests, so
 *    that neither waits for all of the other.
 * 9. A stranger from another network waits for at most a few turns, whatever one network, or a hundred, has waiting, and gets a
 *    place when all are taken. People who sign in do not wait for readers of pages.
 * 10. The number of waiting requests is bounded: the holder with the most, if above an equal part, gives up a place to a holder
 *     with less.
 * 11. Debt is worked off in the same time, however many wait.
 * 12. A person without an organization never takes half of another's time.
 */
import { expect, test } from "vitest";
import {
  ACTIVE_MS,
  COSTS,
  MAX_ALL_WAITING,
  MAX_LANE_WAITING,
  MAX_WAIT_MS,
  MAX_WAITING,
  MOST_OWED_MS,
  MOST_SHARE,
  NO_ORGANIZATION,
  SAVED_MS,
  SHARE_BESIDE_STRANGERS,
  SIGN_IN,
  STRANGERS,
  TURN_MS,
  WAITING_SHARE,
} from "./limits.ts";
import { createWorkGate, TooMuchWaitsError } from "./work-gate.ts";

/** A loop that does one task after another. */
function createLoop() {
  let now = 0;
  let busy = 0;
  const tasks: { at: number; ms: number; run: () => void }[] = [];
  const later = (run: () => void, ms: number) => void tasks.push({ at: now + ms, ms: 0, run });
  const gate = createWorkGate({ clock: () => now, busyMs: () => busy, later });
  return {
    gate,
    clock: () => now,
    later,
    /** Queues work now, after work that was queued before. */
    work: (ms: number, done: () => void) => void tasks.push({ at: now, ms, run: done }),
    /** Runs until no work is left, or until this time. */
    async run(until = Number.POSITIVE_INFINITY): Promise<void> {
      for (;;) {
        // Promise callbacks come first, as in Node.js.
        for (let turn = 0; turn < 4; turn++) await Promise.resolve();
        let first = 0;
        for (const [at, task] of tasks.entries()) if (task.at < tasks[first]!.at) first = at;
        const [task] = tasks.splice(first, 1);
        if (!task) return;
        if (task.at > until) return void tasks.push(task);
        now = Math.max(now, task.at) + task.ms;
        busy += task.ms;
        task.run();
      }
    },
  };
}

type Loop = ReturnType<typeof createLoop>;

/** A client that sends its next request as soon as it has an answer. */
function ask(loop: Loop, holder: string, { ms, cost = ms, pause = 0, lane, isOver = () => false }: Asked) {
  const seen = { answered: 0, workedMs: 0, waits: [] as number[], refused: 0 };
  const once = async () => {
    const asked = loop.clock();
    try {
      await loop.gate.enter(holder, { cost, lane });
    } catch {
      seen.refused += 1;
      return;
    }
    seen.waits.push(loop.clock() - asked);
    loop.work(ms, () => {
      seen.answered += 1;
      seen.workedMs += ms;
      if (!isOver()) loop.later(() => void once(), pause);
    });
  };
  void once();
  return seen;
}

interface Asked {
  ms: number;
  cost?: number;
  pause?: number;
  lane?: string;
  isOver?: () => boolean;
}

const many = (count: number, make: () => ReturnType<typeof ask>) => Array.from({ length: count }, make);
const sum = (seen: readonly { workedMs: number }[]) => seen.reduce((all, { workedMs }) => all + workedMs, 0);

/** Gives the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("1. alone", async () => {
  const loop = createLoop();
  const seen = many(200, () => ask(loop, "a", { ms: 1 }));
  await loop.run(2_000);
  expect(Math.max(...seen.flatMap(({ waits }) => waits))).toBe(0);
  expect(sum(seen)).toBeGreaterThan(1_990);
  expect(loop.gate.totals.waits).toBe(0);
});

test("2. a share", async () => {
  const loop = createLoop();
  const isOver = () => loop.clock() > 5_000;
  const crowd = many(100, () => ask(loop, "a", { ms: 1 }));
  ask(loop, "b", { ms: 1, pause: 100, isOver });
  await loop.run(5_000);
  const shared = sum(crowd);
  expect(shared).toBeLessThan(MOST_SHARE * 5_000 + 3 * SAVED_MS);
  expect(shared).toBeGreaterThan(0.8 * MOST_SHARE * 5_000);
  await loop.run(5_100 + ACTIVE_MS);
  const before = sum(crowd);
  await loop.run(6_100 + ACTIVE_MS);
  expect(sum(crowd) - before).toBeGreaterThan(950);
});

test.each([
  ["2. a share beside strangers", STRANGERS],
  ["12. a share beside a person without an organization", `${NO_ORGANIZATION}ada`],
])("%s", async (_name, beside) => {
  const loop = createLoop();
  const crowd = many(100, () => ask(loop, "a", { ms: 1 }));
  ask(loop, beside, { ms: 1, pause: 100 });
  await loop.run(10_000);
  expect(sum(crowd) / 10_000).toBeGreaterThan(SHARE_BESIDE_STRANGERS - 0.1);
  expect(sum(crowd) / 10_000).toBeLessThan(SHARE_BESIDE_STRANGERS + 0.05);
});

test("3. one that asks for little, at random times", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const loop = createLoop();
    const ms = 0.2 + 2 * random();
    many(300, () => ask(loop, "a", { ms }));
    many(300, () => ask(loop, "c", { ms: 0.5 }));
    const few = ask(loop, "b", { ms: 0.5, pause: 5 + 50 * random() });
    await loop.run(3_000);
    expect(few.answered).toBeGreaterThan(40);
    expect(Math.max(...few.waits), `seed ${seed}`).toBeLessThanOrEqual(2 * TURN_MS + 2 * ms);
  }
});

test("3. beside one that owes much", async () => {
  const loop = createLoop();
  loop.gate.enter("b");
  loop.gate.charge("a", 1_000);
  const owing = ask(loop, "a", { ms: 1, isOver: () => true });
  await loop.run(10);
  const few = many(30, () => ask(loop, "b", { ms: 1, isOver: () => true }));
  await loop.run(200);
  expect(few.filter(({ answered }) => answered === 1).length).toBe(30);
  expect(owing.answered).toBe(0);
  await loop.run(5_000);
  expect(owing.answered).toBe(1);
});

test("4. several that ask for everything", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const loop = createLoop();
    const holders = Array.from({ length: 2 + Math.floor(4 * random()) }, (_, at) =>
      many(1 + Math.floor(100 * random()), () => ask(loop, `h${at}`, { ms: 0.2 + at })),
    );
    await loop.run(10_000);
    const times = holders.map(sum);
    const mean = times.reduce((a, b) => a + b, 0) / times.length;
    for (const [at, seen] of holders.entries()) {
      expect(Math.abs(times[at]! - mean), `seed ${seed}: ${times.join()}`).toBeLessThan(0.2 * mean + 60);
      for (const { answered } of seen) expect(answered).toBeGreaterThan(0);
    }
  }
});

test("5. wrong costs", async () => {
  for (const factor of [0.3, 1, 3]) {
    const loop = createLoop();
    const crowd = many(100, () => ask(loop, "a", { ms: 1, cost: factor }));
    ask(loop, "b", { ms: 1, cost: factor, pause: 50 });
    await loop.run(10_000);
    expect(sum(crowd) / 10_000).toBeGreaterThan(MOST_SHARE - 0.1);
    expect(sum(crowd) / 10_000).toBeLessThan(MOST_SHARE + 0.1);
  }
});

test("6. caps", async () => {
  const loop = createLoop();
  loop.gate.enter("b");
  const crowd = many(MAX_WAITING + 500, () => ask(loop, "a", { ms: 100, cost: 100, isOver: () => true }));
  const few = ask(loop, "b", { ms: 1, pause: 20, isOver: () => loop.clock() > 60_000 });
  await loop.run(1);
  expect(loop.gate.waiting).toBeLessThanOrEqual(MAX_WAITING);
  expect(loop.gate.waiting).toBeGreaterThan(MAX_WAITING - 10);
  await loop.run(60_000);
  expect(loop.gate.waiting).toBe(0);
  expect(few.refused).toBe(0);
  expect(crowd.filter(({ refused }) => refused === 1).length).toBeGreaterThan(500);
  const answered = crowd.filter(({ waits }) => waits.length > 0);
  expect(answered.length).toBeGreaterThan(20);
  expect(Math.max(...answered.flatMap(({ waits }) => waits))).toBeLessThanOrEqual(MAX_WAIT_MS + 1_000);
});

test("7. clients that have left", async () => {
  const loop = createLoop();
  loop.gate.enter("b");
  while (!loop.gate.enter("a", { cost: SAVED_MS }));
  const left = Array.from({ length: MAX_WAITING - 1 }, () => loop.gate.enter("a", { isGone: () => true }));
  const all = Promise.allSettled(left);
  const stays = loop.gate.enter("a");
  await loop.run(2_000);
  const ends = await all;
  expect(ends.map(({ status }) => status)).not.toContain("fulfilled");
  for (const end of ends) expect("reason" in end && end.reason).toBeInstanceOf(TooMuchWaitsError);
  await expect(stays).resolves.toBeUndefined();
  expect(loop.gate.totals.refused).toBe(0);
});

test("8. bytes", async () => {
  const loop = createLoop();
  const { gate } = loop;
  expect(gate.pace("a", 1024 ** 3)).toBeUndefined();
  gate.enter("b");
  const parts = Array.from({ length: 2 * MAX_WAITING }, () => gate.pace("a", 1024 * 1024));
  expect(parts.filter(Boolean).length).toBeGreaterThan(MAX_WAITING);
  expect(gate.enter("c")).toBeUndefined();
  await loop.run();
  await Promise.all(parts);
  expect(gate.waiting).toBe(0);
});

test("8. parts and requests by turns", async () => {
  const loop = createLoop();
  loop.gate.enter("b");
  loop.gate.charge("a", MOST_OWED_MS);
  const order: string[] = [];
  for (let at = 0; at < 10; at++) void loop.gate.enter("a")!.then(() => order.push("request"));
  for (let at = 0; at < 3; at++) void loop.gate.pace("a", 0)!.then(() => order.push("part"));
  await loop.run(20_000);
  expect(order.length).toBe(13);
  expect(order.slice(0, 7)).toEqual(["part", "request", "part", "request", "part", "request", "request"]);
});

test("8. requests beside a hundred transfers of the same holder", async () => {
  const loop = createLoop();
  const { gate, clock, later, work } = loop;
  const until = 60_000;
  let parts = 0;
  const transfer = async () => {
    for (; clock() < until; parts++) {
      await gate.pace("a", 1024 * 1024);
      await new Promise<void>((done) => work(COSTS.megabyte, done));
    }
  };
  for (let at = 0; at < 100; at++) void transfer();
  const small = many(10, () =>
    ask(loop, "a", { ms: COSTS.request, pause: 200, isOver: () => clock() > until }),
  );
  const other = () => {
    void gate.enter("b");
    if (clock() < until) later(other, 500);
  };
  other();
  await loop.run(until + MAX_WAIT_MS);
  expect(parts).toBeGreaterThan(1000);
  for (const { answered, refused } of small) {
    expect(refused).toBe(0);
    expect(answered).toBeGreaterThan(100);
  }
});

/** Milliseconds for a few turns of strangers next to an organization that floods: a page each, at their share. */
const FEW_TURNS_MS = (4 * COSTS.renderedPage) / (WAITING_SHARE / 3);

test.each([1, 100])("9. a newcomer beside pages for %i networks", async (networks) => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = createRandom(seed);
    const loop = createLoop();
    many(50, () => ask(loop, "a", { ms: 1 }));
    for (let network = 0; network < networks; network++)
      many(Math.ceil(200 / networks), () =>
        ask(loop, STRANGERS, { ms: COSTS.renderedPage, pause: 100 * random(), lane: `net ${network}` }),
      );
    await loop.run(500);
    const newcomers: ReturnType<typeof ask>[] = [];
    for (let at = 0; at < 40; at++) {
      // Once each of the others has had a page, even a page is answered immediately.
      const ms = at < 20 ? COSTS.search : COSTS.renderedPage;
      newcomers.push(ask(loop, STRANGERS, { ms, lane: `newcomer ${at}`, isOver: () => true }));
      await loop.run(500 + 300 * (at + 1) + 200 * random());
    }
    await loop.run(20_000);
    expect(newcomers.filter(({ answered }) => answered === 1).length, `seed ${seed}`).toBe(40);
    expect(Math.max(...newcomers.flatMap(({ waits }) => waits)), `seed ${seed}`).toBeLessThan(FEW_TURNS_MS);
  }
});

test("9. a newcomer beside a hundred networks that wait for their first page", async () => {
  const loop = createLoop();
  loop.gate.enter("a");
  loop.gate.charge(STRANGERS, MOST_OWED_MS);
  const answered: string[] = [];
  const isOver = (lane: string) => answered.push(lane) > 0;
  const asked = (lane: string) =>
    ask(loop, STRANGERS, { ms: COSTS.search, lane, isOver: () => isOver(lane) });
  for (let at = 0; at < 600; at++) asked(`net ${at % 100}`);
  asked("newcomer");
  await loop.run(20_000);
  expect(answered.indexOf("newcomer")).toBe(0);
});

test("9. sign-ins beside pages and searches", async () => {
  const loop = createLoop();
  many(50, () => ask(loop, "a", { ms: 1 }));
  for (let at = 0; at < 400; at++)
    ask(loop, STRANGERS, { ms: at % 2 ? COSTS.renderedPage : COSTS.search, lane: `net ${at % 40}` });
  const steps = Array.from({ length: 10 }, (_, at) =>
    ask(loop, SIGN_IN, { ms: COSTS.call, pause: 50, lane: `home ${at}` }),
  );
  await loop.run(20_000);
  for (const { answered, refused, waits } of steps) {
    expect(refused).toBe(0);
    expect(answered).toBeGreaterThan(100);
    expect(Math.max(...waits)).toBeLessThan(FEW_TURNS_MS);
  }
});

test("9. a network's places", async () => {
  const loop = createLoop();
  loop.gate.enter("b");
  loop.gate.charge(STRANGERS, MOST_OWED_MS);
  const asked = (lane: string) => ask(loop, STRANGERS, { ms: 1, lane, isOver: () => true });
  const one = many(2 * MAX_LANE_WAITING, () => asked("one"));
  await loop.run(0);
  expect(one.filter(({ refused }) => refused === 1).length).toBe(MAX_LANE_WAITING);
  const others = Array.from({ length: MAX_WAITING }, (_, at) => asked(`other ${at % 100}`));
  await loop.run(0);
  expect(loop.gate.waiting).toBeLessThanOrEqual(MAX_WAITING);
  const newcomers = Array.from({ length: 50 }, (_, at) => asked(`newcomer ${at}`));
  await loop.run(20_000);
  expect(newcomers.every(({ answered }) => answered === 1)).toBe(true);
  expect(others.some(({ refused }) => refused === 1)).toBe(true);
});

test("9. two of one network among newcomers", async () => {
  const loop = createLoop();
  loop.gate.enter("b");
  loop.gate.charge(STRANGERS, MOST_OWED_MS);
  const asked = (lane: string) => ask(loop, STRANGERS, { ms: 10, lane, isOver: () => true });
  for (let at = 0; at < 50; at += 1) asked(`first ${at}`);
  const two = many(2, () => asked("two"));
  for (let at = 0; at < 1_000; at += 1) {
    asked(`newcomer ${at}`);
    await loop.run(10 * (at + 1));
  }
  expect(two.map(({ answered }) => answered)).toEqual([1, 1]);
});

test("10. all that waits", async () => {
  const loop = createLoop();
  loop.gate.enter("z");
  const holders = Array.from({ length: 8 }, (_, at) => `h${at}`);
  const seen = holders.map((holder) => {
    loop.gate.charge(holder, MOST_OWED_MS);
    return many(MAX_WAITING, () => ask(loop, holder, { ms: 1, isOver: () => true }));
  });
  await loop.run(0);
  expect(loop.gate.waiting).toBeLessThanOrEqual(MAX_ALL_WAITING);
  for (const each of seen) {
    const places = MAX_WAITING - each.filter(({ refused }) => refused === 1).length;
    expect(places).toBeGreaterThan(MAX_ALL_WAITING / holders.length - 10);
  }
  loop.gate.charge("little", MOST_OWED_MS);
  const little = many(20, () => ask(loop, "little", { ms: 1, isOver: () => true }));
  await loop.run(10_000);
  expect(little.every(({ answered }) => answered === 1)).toBe(true);
});

test("10. beside many parts of bodies", async () => {
  const loop = createLoop();
  loop.gate.enter("z");
  loop.gate.charge("a", MOST_OWED_MS);
  const parts = Array.from({ length: 2 * MAX_ALL_WAITING }, () => loop.gate.pace("a", 1024));
  loop.gate.charge("little", MOST_OWED_MS);
  const little = many(20, () => ask(loop, "little", { ms: 1, isOver: () => true }));
  await loop.run(20_000);
  await Promise.all(parts);
  expect(little.every(({ answered }) => answered === 1)).toBe(true);
});

test("10. holders of few requests beside one that has only parts of bodies", async () => {
  const loop = createLoop();
  loop.gate.enter("z");
  for (const holder of ["parts", "first", "second"]) loop.gate.charge(holder, MOST_OWED_MS);
  const parts = Array.from({ length: 2 * MAX_ALL_WAITING }, () => loop.gate.pace("parts", 1024));
  const few = ["first", "second"].flatMap((holder) =>
    many(50, () => ask(loop, holder, { ms: 1, isOver: () => true })),
  );
  await loop.run(20_000);
  await Promise.all(parts);
  expect(few.map(({ answered, refused }) => [answered, refused])).toEqual(few.map(() => [1, 0]));
});

test("11. debts", async () => {
  for (const count of [1, 5, 20]) {
    const loop = createLoop();
    loop.gate.enter("b");
    const seen = Array.from({ length: count }, (_, at) => {
      loop.gate.charge(`h${at}`, 100 * MOST_OWED_MS);
      return ask(loop, `h${at}`, { ms: 1, isOver: () => true });
    });
    const turns = ask(loop, "b", { ms: 1, pause: 50, isOver: () => loop.clock() > 5_000 });
    await loop.run(2 * MOST_OWED_MS + 100);
    expect(seen.filter(({ answered }) => answered === 1).length, `${count}`).toBe(count);
    expect(turns.refused).toBe(0);
  }
});
