/**
 * 1. A listener gets every event of their organization that is committed after they began, once, and none of another
 *    organization, in whatever order writers begin, commit or roll back, however late.
 * 2. A reader who reconnects with the last cursor gets everything that was committed since, wherever the stream was cut.
 * 3. A reader who asks for the stream's position and then reads the tables finds earlier events there, and later ones in the
 *    stream, whether or not anyone listens already.
 * 4. Reading for all is the server's own work, whichever reader came first.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { currentRequestId, runForRequest } from "#platform/log/request-context.ts";
import { openTestAccounts } from "../testing/accounts.ts";
import { addEvents } from "./add-events.ts";
import { EventFeed } from "./event-feed.ts";
import { readMissed } from "../stream/read-events.ts";

const MINE = "org_mine";
const THEIRS = "org_theirs";
/** Simultaneous writers; a pool has ten connections. */
const MAX_WRITERS = 6;

interface Writer {
  subject: string;
  organizationId: string;
  end: (how: "commit" | "rollback") => Promise<void>;
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("begin" as const), isMine: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("commit" as const), which: fc.nat(MAX_WRITERS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rollback" as const), which: fc.nat(MAX_WRITERS) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("look" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("come back" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("open a page" as const), isAlone: fc.boolean() }) },
);

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3. nothing is missed", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const { database, log, clock } = accounts;
    let count = 0;

    async function beginWriter(organizationId: string): Promise<Writer> {
      const subject = `s-${(count += 1)}`;
      const written = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<"commit" | "rollback">();
      const ended = database.db.transaction().execute(async (transaction) => {
        const row = { organization_id: organizationId, time: clock(), kind: "token.create", subject };
        const rest = { project_id: null, actor: "ada", actor_id: "usr_a", text: "x", is_refused: 0 as const };
        await addEvents(kind, transaction, [{ ...row, ...rest }]);
        written.resolve();
        if ((await gate.promise) === "rollback") throw new Error("rolled back");
      });
      ended.catch(() => {});
      await written.promise;
      return {
        subject,
        organizationId,
        async end(how) {
          gate.resolve(how);
          await ended.catch((error: unknown) => {
            if (how === "commit") throw error;
          });
        },
      };
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await database.db.deleteFrom("events").execute();
        const feed = new EventFeed({ database, log });
        const open: Writer[] = [await beginWriter(MINE)];
        // SQLite lets one write at a time.
        if (kind === "sqlite") await open.shift()?.end("commit");
        const got: string[] = [];
        const committed: string[] = [];
        const pages: { id: number; read: Set<string> }[] = [];
        let last = 0;
        const listener = {
          organizationId: MINE,
          onEvents(events: readonly { subject: string; organizationId: string }[], safe: number) {
            for (const event of events) expect(event.organizationId).toBe(MINE);
            got.push(...events.map(({ subject }) => subject));
            last = safe;
          },
          onLost: () => expect.unreachable(),
        };
        const begun = await feed.listen(listener);
        let { stop } = begun;
        last = begun.safe;
        const end = async (writer: Writer | undefined, how: "commit" | "rollback") => {
          if (!writer) return;
          await writer.end(how);
          if (how === "commit" && writer.organizationId === MINE) committed.push(writer.subject);
        };
        for (const each of steps) {
          if (each.do === "begin" && open.length < MAX_WRITERS) {
            const writer = await beginWriter(each.isMine ? MINE : THEIRS);
            if (kind === "sqlite") await end(writer, "commit");
            else open.push(writer);
          } else if (each.do === "commit" || each.do === "rollback")
            await end(open.splice(each.which, 1)[0], each.do);
          else if (each.do === "look") await feed.poll();
          else if (each.do === "open a page") {
            const id = await (each.isAlone ? new EventFeed({ database, log }) : feed).findSafe();
            pages.push({ id, read: new Set(committed) });
          } else if (each.do === "come back") {
            stop();
            const again = await feed.listen(listener);
            ({ stop } = again);
            const since = { id: last, time: clock() };
            const missed = await readMissed(accounts, { organizationId: MINE, since, last: again.safe });
            for (const { subject } of missed ?? []) if (!got.includes(subject)) got.push(subject);
            last = again.safe;
          }
        }
        for (const writer of open) await end(writer, "commit");
        await feed.poll();
        await feed.poll();
        for (const { id, read } of pages) {
          const since = { id, time: clock() };
          const missed = await readMissed(accounts, { organizationId: MINE, since, last: id });
          const subjects = new Set(missed?.map(({ subject }) => subject));
          expect(committed.filter((subject) => !read.has(subject) && !subjects.has(subject))).toEqual([]);
        }
        expect([...new Set(got)].sort()).toEqual([...committed].sort());
        if (!steps.some((each) => each.do === "come back")) expect(got.length).toBe(committed.length);
        await feed.stop();
      }),
      { numRuns: kind === "sqlite" ? 40 : 60 },
    );
  }, 60_000);
});

test.each(testDatabaseKinds)("4. no one's reads: %s", async (kind) => {
  await using place = await openTestAccounts(kind);
  const { database, log } = place.accounts;
  const seen: unknown[] = [];
  const watched = new Proxy(database, {
    get(of, name) {
      seen.push(currentRequestId());
      return Reflect.get(of, name) as unknown;
    },
  });
  const feed = new EventFeed({ database: watched, log });
  await runForRequest("first", async () => {
    await feed.listen({ organizationId: MINE, onEvents: () => {}, onLost: () => {} });
    feed.wake();
    await feed.poll();
  });
  await feed.stop();
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((id) => id !== undefined)).toEqual([]);
});
