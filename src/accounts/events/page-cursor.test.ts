/**
 * 1. A caller who learns who they are also learns the event stream's position, and finds in the stream, however late it
 *    opens, what happened since, and only that; this holds on a server without readers and on one with readers.
 * 2. No one else learns it: a caller who is signed out, shows another cookie, or belongs to no organization.
 * 3. It opens no other organization's stream. An old position leads to reading everything again.
 * 4. A signed-in caller learns who they are even when the stream cannot be asked.
 */
import { describe, expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { createEventRoutes } from "../stream/event-routes.ts";
import { FRESH_OVERLAP_MS, MAX_AWAY_MS } from "./limits.ts";
import { readEvents } from "../testing/events.ts";
import { createProject, removeMember } from "../index.ts";
import { makePerson, type TestPerson } from "../testing/accounts.ts";
import { openTestPeople } from "../testing/people.ts";

const COOKIE = "millrace-session";

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open() {
    const people = await openTestPeople(kind);
    const { accounts } = people;
    const { app, streams } = createEventRoutes(accounts, { addressOf: () => "198.51.100.7" });
    const ada = await makePerson(people, "ada", { organization: "acme" });
    const organizationId = ada.caller.actor.organizationId ?? "";
    const ben = await makePerson(people, "ben", { organizationId, role: "member" });
    const eve = await makePerson(people, "eve", { organization: "evil-corp" });
    const cursorOf = async (cookie: string | null) => {
      const browser = people.browser();
      if (cookie !== null) browser.cookies.set(COOKIE, cookie);
      return (await browser.get("/auth/state")).body["event_cursor"];
    };
    const join = ({ cookie }: TestPerson, query = "") =>
      readEvents(app, `/app/acme/events${query}`, { cookie: `${COOKIE}=${cookie}` });
    return {
      ...people,
      ada,
      ben,
      eve,
      organizationId,
      cursorOf,
      join,
      async [Symbol.asyncDispose]() {
        await streams.stop();
        await people[Symbol.asyncDispose]();
      },
    };
  }

  test.each([false, true])("1. since then, with a reader: %s", async (hasReader) => {
    await using place = await open();
    const { accounts, ada, ben, eve, time } = place;
    if (hasReader) await (await place.join(ada)).until(({ event }) => event === "hello");
    await createProject(accounts, ada.caller, { name: "before" });
    await accounts.events.poll();
    const cursor = await place.cursorOf(ben.cookie);
    await createProject(accounts, eve.caller, { name: "theirs" });
    for (const name of ["one", "two"]) await createProject(accounts, ada.caller, { name });
    time.now += 2 * FRESH_OVERLAP_MS;
    const reader = await place.join(ben, `?since=${String(cursor)}`);
    await createProject(accounts, ada.caller, { name: "now" });
    await reader.until(({ data }) => data.text === "project now created");
    expect(reader.changes.map(({ text }) => text?.split(" ")[1])).toEqual(["one", "two", "now"]);
  });

  test("2. no one else", async () => {
    await using place = await open();
    const { accounts, ada, ben, organizationId } = place;
    expect(await place.cursorOf(ben.cookie)).toEqual(expect.any(String));
    expect(await place.cursorOf(null)).toBeNull();
    expect(await place.cursorOf("never-a-session")).toBeNull();
    await removeMember(accounts, ada.caller, { organization: organizationId, userId: ben.userId });
    expect(await place.cursorOf(ben.cookie)).toBeNull();
  });

  test("3. another organization, and long ago", async () => {
    await using place = await open();
    const { ben, eve, time } = place;
    const since = `?since=${String(await place.cursorOf(eve.cookie))}`;
    expect((await place.join(eve, since)).status).toBe(404);
    time.now += MAX_AWAY_MS + 1;
    const reader = await place.join(ben, since);
    await reader.until(({ event }) => event === "too-old");
  });

  test("4. a feed that fails", async () => {
    await using place = await open();
    const { accounts, ada } = place;
    vi.spyOn(accounts.events, "findSafe").mockRejectedValue(new Error("connection lost"));
    const browser = place.browser();
    browser.cookies.set(COOKIE, ada.cookie);
    expect((await browser.get("/auth/state")).body).toMatchObject({
      user: { name: "ada" },
      event_cursor: null,
    });
  });
});
