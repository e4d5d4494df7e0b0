/**
 * 1. A stream says hello, then sends every change of its organization immediately: to owners with author and sentence, to
 *    others without, unless it is their own, of a project, or a refused project token. Nothing of another organization
 *    reaches it.
 * 2. A reader who reconnects gets the missed events, once; one who missed too many, was away too long or comes from another
 *    database reads everything again.
 * 3. It says bye when the browser is signed out, the token revoked, the member removed or the organization deleted, on this
 *    server and on another one, and then ends. A new role counts immediately.
 * 4. A silent stream sends a ping. When the server stops, it ends without a message, and no other stream begins.
 * 5. A person has a maximum of streams: the oldest makes room for a new one, and is notified. The server also has a maximum;
 *    a reader that takes nothing is dropped.
 * 6. A caller outside the organization gets the same answer as if it did not exist; a token that may not read it is refused.
 * 7. An open connection is not a use of a browser or a token; connecting is a use, from its address.
 * 8. A removed member gets nothing that happens afterwards on this server, not even in the same moment.
 */
import type { EventStreamLimits } from "./event-streams.ts";
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { createAccounts } from "../create-accounts.ts";
import {
  createProject,
  createToken,
  deleteOrganization,
  endSignIn,
  listTokens,
  removeMember,
  revokeToken,
  updateMember,
} from "../index.ts";
import { makePerson, openTestAccounts, type TestPerson } from "../testing/accounts.ts";
import { formatCursor } from "../events/event-cursor.ts";
import { createEventRoutes } from "./event-routes.ts";
import { MAX_AWAY_MS, MAX_MISSED, PING_MS } from "../events/limits.ts";
import { readEvents } from "../testing/events.ts";

const cookieOf = ({ cookie }: TestPerson) => ({ cookie: `__Host-millrace-session=${cookie}` });
const bearerOf = (secret: string) => ({ authorization: `Bearer ${secret}` });
const organizationOf = ({ caller }: TestPerson) => caller.actor.organizationId ?? "";

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open(limits: EventStreamLimits = {}) {
    const place = await openTestAccounts(kind);
    const routes = createEventRoutes(place.accounts, { ...limits, addressOf: () => "198.51.100.7" });
    const ada = await makePerson(place, "ada", { organization: "acme" });
    const organizationId = organizationOf(ada);
    const ben = await makePerson(place, "ben", { organizationId, role: "member" });
    const eve = await makePerson(place, "eve", { organization: "evil-corp" });
    const join = (person: TestPerson, query = "") =>
      readEvents(routes.app, `/app/acme/events${query}`, cookieOf(person));
    return {
      ...place,
      ...routes,
      ada,
      ben,
      eve,
      organizationId,
      join,
      async [Symbol.asyncDispose]() {
        await routes.streams.stop();
        await place[Symbol.asyncDispose]();
      },
    };
  }

  test("1. and 7. changes", async () => {
    await using place = await open();
    const { accounts, ada, ben, eve, time } = place;
    const owner = await place.join(ada);
    const member = await place.join(ben);
    expect(owner.headers.get("content-type")).toContain("text/event-stream");
    expect(owner.headers.get("x-accel-buffering")).toBe("no");
    expect(owner.headers.get("cache-control")).toBe("no-store");
    const hello = await owner.until(({ event }) => event === "hello");
    expect(hello.data).toMatchObject({ at: new Date(time.now).toISOString(), version: "1.2.3" });

    await createProject(accounts, eve.caller, { name: "theirs" });
    await createToken(accounts, ada.caller, { name: "ci", type: "org" });
    await createToken(accounts, ben.caller, { name: "laptop", type: "user" });
    const { id: project } = await createProject(accounts, ada.caller, { name: "web" });
    const isProject = ({ data }: { data: { kind?: string } }) => data.kind === "project.create";
    await Promise.all([owner.until(isProject), member.until(isProject)]);
    const said = ({ kind: what, by, text, project: of }: (typeof owner.changes)[number]) => [
      what,
      by,
      text,
      of,
    ];
    expect(owner.changes.map(said)).toEqual([
      ["token.create", "ada", "organization token ci created", null],
      ["token.create", "ben", "token laptop created", null],
      ["project.create", "ada", "project web created", project],
    ]);
    expect(member.changes.map(said)).toEqual([
      ["token.create", null, null, null],
      ["token.create", "ben", "token laptop created", null],
      ["project.create", "ada", "project web created", project],
    ]);
    expect(member.changes[0]).toMatchObject({ subject: null, by_id: null });

    await accounts.uses.flush();
    const readUses = () =>
      accounts.db.selectFrom("sign_ins").select(["id", "last_used_at"]).orderBy("id").execute();
    const before = await readUses();
    time.now += 10 * PING_MS;
    await place.streams.check();
    await accounts.uses.flush();
    expect(await readUses()).toEqual(before);
  });

  test("2. coming back", async () => {
    await using place = await open();
    const { accounts, ada, time, organizationId } = place;
    const first = await place.join(ada);
    await first.until(({ event }) => event === "hello");
    await createProject(accounts, ada.caller, { name: "one" });
    await first.until(({ event }) => event === "change");
    await first.leave();
    expect(place.streams.size).toBe(0);
    for (const name of ["two", "three"]) await createProject(accounts, ada.caller, { name });

    const again = await place.join(ada, `?since=${first.last}`);
    await createProject(accounts, ada.caller, { name: "four" });
    await again.until(({ data }) => data.text === "project four created");
    const names = again.changes.map(({ text }) => text?.split(" ")[1]);
    expect(names).toEqual(["two", "three", "four"]);
    // A browser that reconnects on its own says so in a header, and its URL is the old one.
    const browser = await readEvents(place.app, "/app/acme/events?since=0.0", {
      ...cookieOf(ada),
      "last-event-id": again.last,
    });
    await browser.until(({ event }) => event === "hello");
    expect(browser.messages.map(({ event }) => event)).toEqual(["hello"]);

    const isLost = async (since: string) => {
      const reader = await place.join(ada, `?since=${since}`);
      const second = await reader.until(({ event }) => event !== "hello");
      await reader.leave();
      return second.event === "too-old";
    };
    expect(await isLost(formatCursor({ id: 1, time: time.now }))).toBe(false);
    expect(await isLost(formatCursor({ id: 1, time: time.now - MAX_AWAY_MS - 1 }))).toBe(true);
    expect(await isLost(formatCursor({ id: 10 ** 9, time: time.now }))).toBe(true);
    expect(await isLost("nonsense")).toBe(true);
    const row = { organization_id: organizationId, time: time.now, kind: "project.create", subject: "" };
    const rest = { project_id: null, actor: "", actor_id: "", text: "", is_refused: 0 as const };
    const many = Array.from({ length: MAX_MISSED + 1 }, () => ({ ...row, ...rest }));
    await accounts.db.insertInto("events").values(many).execute();
    expect(await isLost(browser.last)).toBe(true);
  });

  test("3. who may not read any more", async () => {
    await using place = await open();
    const { accounts, ada, ben, organizationId } = place;
    const other = createAccounts(accounts);
    const there = createEventRoutes(other);
    const makeBen = (name: string) => makePerson(place, name, { organizationId, role: "member" });
    const byeOf = async (
      app: typeof place.app,
      headers: Readonly<Record<string, string>>,
      end: () => Promise<unknown>,
    ) => {
      const reader = await readEvents(app, "/app/acme/events", headers);
      await reader.until(({ event }) => event === "hello");
      await end();
      // Another server's memory is at most four seconds old.
      place.time.now += 5_000;
      await Promise.all([place.streams.check(), there.streams.check()]);
      await reader.ended;
      return reader.messages.at(-1);
    };
    for (const { app } of [place, there]) {
      const [signedOut, removed] = [await makeBen("out"), await makeBen("removed")];
      const signInId = signedOut.caller.actor.signInId ?? "";
      expect(
        await byeOf(app, cookieOf(signedOut), () => endSignIn(accounts, signedOut.caller, { signInId })),
      ).toMatchObject({ event: "bye", data: { code: "unauthenticated" } });
      const { userId } = removed;
      expect(
        await byeOf(app, cookieOf(removed), () =>
          removeMember(accounts, ada.caller, { organization: organizationId, userId }),
        ),
      ).toMatchObject({ event: "bye", data: { code: "not_found" } });
      const { token, secret } = await createToken(accounts, ada.caller, { name: "ci", type: "org" });
      expect(
        await byeOf(app, bearerOf(secret), () => revokeToken(accounts, ada.caller, { tokenId: token.id })),
      ).toMatchObject({ event: "bye", data: { code: "unauthenticated" } });
    }
    const member = await place.join(ben);
    await member.until(({ event }) => event === "hello");
    const input = { organization: organizationId, userId: ben.userId, role: "owner" };
    await updateMember(accounts, ada.caller, input);
    await place.streams.check();
    await createToken(accounts, ada.caller, { name: "second", type: "org" });
    await member.until(({ data }) => data.text === "organization token second created");
    expect(
      await byeOf(place.app, cookieOf(ada), () =>
        deleteOrganization(accounts, ada.caller, { organization: organizationId }),
      ),
    ).toMatchObject({ event: "bye", data: { code: "not_found" } });
    await there.streams.stop();
    await other.close();
  });

  test("4. ping, and the server's end", async () => {
    await using place = await open();
    const { time, ada } = place;
    const reader = await place.join(ada);
    await reader.until(({ event }) => event === "hello");
    time.now += PING_MS - 1;
    await place.streams.check();
    time.now += 1;
    await place.streams.check();
    const ping = await reader.until(({ event }) => event === "ping");
    expect(ping.data).toMatchObject({ at: new Date(time.now).toISOString(), last: reader.last });
    expect(reader.messages.filter(({ event }) => event === "ping").length).toBe(1);
    // Also with the clock set back: silent connections are cut.
    time.now -= 3_600_000;
    await place.streams.check();
    const last = await reader.until((message) => message !== ping && message.event === "ping");
    place.streams.end();
    await reader.ended;
    expect(reader.messages.at(-1)).toBe(last);
    expect((await place.join(ada)).status).toBe(503);
    expect([...place.streams.ends]).toEqual([["stopped", 1]]);
  });

  test("5. limits: an organization's share", async () => {
    await using place = await open({ streams: 4 });
    const { ada, ben } = place;
    const [first] = [await place.join(ada), await place.join(ben)];
    expect((await place.join(ada)).status).toBe(503);
    expect(place.streams.size).toBe(2);
    await first.leave();
    expect((await place.join(ada)).status).toBe(200);
  });

  test("5. limits", async () => {
    await using place = await open({ streams: 3, perPerson: 2, perOrganization: 3 });
    const { ada, ben, accounts } = place;
    const [one] = [await place.join(ada), await place.join(ada)];
    const third = await place.join(ada);
    expect(third.status).toBe(200);
    await one.ended;
    expect(one.messages.at(-1)).toMatchObject({ event: "bye", data: { code: "resource_exhausted" } });
    expect([...place.streams.ends]).toEqual([["replaced", 1]]);
    await place.join(ben);
    expect((await place.join(ben)).status).toBe(503);
    expect((await place.join(ada)).status).toBe(200);
    expect([place.streams.size, new Map(place.streams.ends).get("replaced")]).toEqual([3, 2]);
    await third.leave();
    const slow = await place.app.request("https://build.acme.example/app/acme/events", {
      headers: cookieOf(ada),
    });
    const row = { organization_id: place.organizationId, time: 0, kind: "project.create", subject: "s" };
    const rest = {
      project_id: null,
      actor: "a",
      actor_id: "a",
      text: "x".repeat(300),
      is_refused: 0 as const,
    };
    for (let round = 0; round < 4; round += 1) {
      const rows = Array.from({ length: 500 }, () => ({ ...row, ...rest }));
      await accounts.db.insertInto("events").values(rows).execute();
      await accounts.events.poll();
    }
    await expect(slow.text()).rejects.toThrow("too slowly");
    expect(new Map(place.streams.ends).get("slow")).toBe(1);
  });

  test("6. strangers", async () => {
    await using place = await open();
    const { accounts, ada, eve } = place;
    const { id: projectId } = await createProject(accounts, ada.caller, { name: "web" });
    const { secret } = await createToken(accounts, ada.caller, { name: "ci", type: "project", projectId });
    const ask = async (address: string, headers: Readonly<Record<string, string>>) => {
      const answer = await place.app.request(`https://build.acme.example${address}`, { headers });
      return [answer.status, await answer.json()];
    };
    for (const name of ["events", "first-run"]) {
      const unknown = await ask(`/app/nobody/${name}`, cookieOf(eve));
      expect(unknown[0]).toBe(404);
      const theirs = await ask(`/app/acme/${name}`, cookieOf(eve));
      expect(JSON.stringify(theirs)).toBe(JSON.stringify(unknown).replace("nobody", "acme"));
      expect((await ask(`/app/acme/${name}`, {}))[0]).toBe(401);
      expect((await ask(`/app/acme/${name}`, bearerOf(secret)))[0]).toBe(403);
      const elsewhere = { ...cookieOf(ada), "sec-fetch-site": "cross-site" };
      expect((await ask(`/app/acme/${name}`, elsewhere))[0]).toBe(401);
    }
  });

  test("7. connecting is a use", async () => {
    await using place = await open();
    const { accounts, ada, time } = place;
    const { token, secret } = await createToken(accounts, ada.caller, { name: "laptop", type: "user" });
    time.now += PING_MS * 100;
    const reader = await readEvents(place.app, "/app/acme/events", bearerOf(secret));
    await reader.until(({ event }) => event === "hello");
    await accounts.uses.flush();
    const { items } = await listTokens(accounts, ada.caller, { pageSize: 10 });
    expect(items).toMatchObject([{ id: token.id, lastUsedAt: time.now, lastUsedFrom: "198.51.100.7" }]);
  });

  test("8. removed in this moment", async () => {
    await using place = await open();
    const { accounts, ada, ben, organizationId } = place;
    const [owner, member] = [await place.join(ada), await place.join(ben)];
    await Promise.all([owner, member].map((each) => each.until(({ event }) => event === "hello")));
    await removeMember(accounts, ada.caller, { organization: organizationId, userId: ben.userId });
    await createProject(accounts, ada.caller, { name: "afterwards" });
    // No check has run yet whether all may still read.
    await accounts.events.poll();
    await owner.until(({ data }) => data.text === "project afterwards created");
    await member.ended;
    expect(member.messages.map(({ event }) => event)).toEqual(["hello", "bye"]);
    expect(member.messages[1]?.data).toEqual({ code: "not_found" });
    expect(place.streams.size).toBe(1);
  });
});
