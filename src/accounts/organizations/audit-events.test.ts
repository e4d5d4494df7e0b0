/**
 * Compared with a naive filter of all lines, with limits so small that every search takes many steps:
 *
 * 1. The pages of any filter together have each matching line once, newest first, even while others are written.
 * 2. Every word must occur literally, in upper or lower case: `%`, `_` and `\\` match only themselves.
 * 3. A call that has searched its share ends with its matches, and the next page continues there.
 * 4. Between two steps of a search, other work gets its turn.
 * 5. Words, lengths and spans beyond the limits are refused.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { addAuditEvent } from "../contract/audit.ts";
import { type AuditEvent, type AuditFilter, listAuditEvents } from "./audit-events.ts";
import { makePerson, openTestAccounts } from "../testing/accounts.ts";

const STEPS = { atOnce: 3, perCall: 12 };
const TEXTS = ["Ada", "ÄNNE Müller", "100%", "a_b", "axb", "back\\slash", "deploy-bot", "tok_1", "x"];
const text = fc.constantFrom(...TEXTS);
const START = Date.UTC(2026, 0, 1);
interface Line {
  actor: string;
  target: string;
  action: string;
  detail: string;
}
const line: fc.Arbitrary<Line> = fc.record({
  actor: text,
  target: text,
  action: fc.constantFrom("a.b", "c.d"),
  detail: text,
});
const word = fc.oneof(
  text.map((of) => of.split(" ").at(-1)!.toLowerCase()),
  fc.constantFrom("%", "_", "\\", "ÄNNE", "müll", "192.0.2", "ADA", "kind", "zzz"),
);
const filter = fc.record(
  {
    action: fc.constantFrom("", "a.b", "nothing"),
    actorId: fc.constantFrom("", "id-Ada", "id-x"),
    address: fc.constantFrom("", "192.0.2.1", "192.0.2"),
    query: fc.array(word, { maxLength: 3 }).map((words) => words.join("  ")),
    from: fc.nat(30).map((ms) => START + ms),
    to: fc.nat(30).map((ms) => START + 30 + ms),
  },
  { requiredKeys: [] },
);

const isWanted = (
  event: AuditEvent,
  { action, actorId, address, query = "", from = 0, to = Infinity }: AuditFilter,
) => {
  const { actor, target, targetId, details } = event;
  const all = [
    actor,
    event.actorId,
    event.action,
    target,
    targetId,
    event.address,
    ...Object.entries(details).flat(),
  ];
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((each) => each !== "");
  return (
    (!action || event.action === action) &&
    (!actorId || event.actorId === actorId) &&
    (!address || event.address === address) &&
    event.time >= from &&
    event.time < to &&
    words.every((each) => all.some((said) => said.toLowerCase().includes(each)))
  );
};

async function openLog(kind: DatabaseKind) {
  const place = await openTestAccounts(kind);
  const { accounts, time } = place;
  const { caller } = await makePerson(place, "ada");
  const organizationId = caller.actor.organizationId ?? "";
  return {
    place,
    caller,
    async write(lines: readonly Line[]) {
      for (const { actor, target, action, detail } of lines) {
        time.now += 1;
        const author = { name: actor, id: `id-${actor}`, address: `192.0.2.${target.length}` };
        const details = { kind: detail };
        const entry = { action, organizationId, target, targetId: `id-${target}`, details };
        await accounts.db
          .transaction()
          .execute((transaction) => addAuditEvent(accounts, transaction, { author, entry }));
      }
    },
    async read(of: AuditFilter, between: () => Promise<unknown> = async () => {}) {
      const events: AuditEvent[] = [];
      for (let pageToken = "", pages = 1; ; pages += 1) {
        const page = await listAuditEvents(accounts, caller, { ...of, pageSize: 4, pageToken }, STEPS);
        expect(page.items.length).toBeLessThanOrEqual(4);
        events.push(...page.items);
        pageToken = page.nextPageToken;
        if (pageToken === "") return { events, pages };
        await between();
      }
    },
  };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3. any filter", async () => {
    const { place, write, read } = await openLog(kind);
    await using _ = place;
    await write(fc.sample(line, { numRuns: 40, seed: 1 }));
    const { events: all } = await read({});
    expect(all.map(({ time }) => time - START)).toEqual(Array.from({ length: 40 }, (_, at) => 40 - at));
    await fc.assert(
      fc.asyncProperty(filter, async (of) => {
        const { events } = await read(of);
        expect(events).toEqual(all.filter((event) => isWanted(event, of)));
      }),
      { numRuns: kind === "sqlite" ? 300 : 60 },
    );
    const nothing = await read({ query: "zzz" });
    expect(nothing).toEqual({ events: [], pages: 4 });
    const former = await read({ query: "id-" }, () =>
      write([{ actor: "Ada", target: "x", action: "a.b", detail: "x" }]),
    );
    expect(former.events).toEqual(all);
  });

  test("4. turns", async () => {
    const { place, caller, write } = await openLog(kind);
    await using _ = place;
    await write(fc.sample(line, { numRuns: 12, seed: 2 }));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await listAuditEvents(place.accounts, caller, { query: "zzz" }, STEPS);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("5. limits", async () => {
    const { place, caller } = await openLog(kind);
    await using _ = place;
    const refused = (input: AuditFilter) => expect(listAuditEvents(place.accounts, caller, input)).rejects;
    await refused({ query: "x".repeat(201) }).toMatchObject({ code: "invalid_argument", field: "query" });
    await refused({ query: "a b c d e f g h i j k" }).toMatchObject({ field: "query" });
    await refused({ from: 2, to: 1 }).toMatchObject({ field: "from" });
    for (const input of [
      { query: "a b c d e f g h i j" },
      { query: "\0 \ud800" },
      { actorId: "\0".repeat(1_000), address: "\ud800", action: "\0" },
      { from: Date.UTC(0, 0), to: Date.UTC(9999, 0) },
    ])
      expect((await listAuditEvents(place.accounts, caller, input)).items).toEqual([]);
  });
});
