/**
 * 1. A program gets a person's token after the person approved it, in the organization that they chose, and the same
 *    token when it asks again, on any replica; the audit log and the list of tokens name the machine.
 * 2. Before that it has to wait, or to wait longer; denied, expired and unknown codes get the errors of RFC 8628, as does
 *    every other mistake.
 * 3. Simultaneous polls make one token. A token that was revoked, or whose person left the organization, does not come back.
 * 4. Only a signed-in person sees and decides, from the site's own page; codes cannot be guessed; of two decisions one
 *    counts. A client's description of itself is cleaned.
 * 5. Waiting logins are limited, for one client and for all, and forgotten when they expire; no one can fill all places,
 *    because a client that does work gets a place from the network with the most.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { identify, listTokens, revokeToken } from "../index.ts";
import { openTestPeople } from "../testing/people.ts";
import { doWork } from "../testing/work.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

async function open(kind: DatabaseKind) {
  const people = await openTestPeople(kind);
  const owner = await people.begin();
  const send = async (
    path: string,
    fields: Record<string, string>,
    app = people.app,
    headers: Record<string, string> = {},
  ) => {
    const response = await app.request(path, { method: "POST", body: new URLSearchParams(fields), headers });
    // These addresses answer with a JSON object.
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const start = async (client: Record<string, string> = {}) => {
    const fields = {
      client_id: "millrace-cli",
      client_name: "millrace 1.4.0",
      machine: "ada-mbp",
      system: "macOS 26.1",
    };
    const { status, body } = await send("/oauth/device_authorization", { ...fields, ...client });
    expect(status).toBe(200);
    return { code: body["user_code"] ?? "", device: body["device_code"] ?? "", body };
  };
  const poll = (device: string, app = people.app) =>
    send("/oauth/token", { grant_type: GRANT, client_id: "millrace-cli", device_code: device }, app);
  return { ...people, owner, send, start, poll, [Symbol.asyncDispose]: () => people[Symbol.asyncDispose]() };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. a login", async () => {
    await using people = await open(kind);
    const { accounts, owner, time } = people;
    const { code, device, body } = await people.start();
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: "http://localhost:3000/device",
      verification_uri_complete: `http://localhost:3000/device?code=${code}`,
      expires_in: 900,
      interval: 5,
    });
    people.place.address = "198.51.100.7";
    expect((await owner.get(`/oauth/device?code=${code.toLowerCase().replace("-", "")}`)).body).toEqual({
      user_code: code,
      client_name: "millrace 1.4.0",
      machine: "ada-mbp",
      system: "macOS 26.1",
      address: "192.0.2.7",
      your_address: "198.51.100.7",
      created_at: new Date(time.now).toISOString(),
      expires_at: new Date(time.now + 900_000).toISOString(),
    });
    expect((await people.poll(device)).body["error"]).toBe("authorization_pending");
    expect((await owner.post("/oauth/device/approve", { code, organization: "acme" })).status).toBe(200);
    const first = await people.poll(device);
    expect(first).toMatchObject({
      status: 200,
      body: { token_type: "Bearer", organization: "acme", user: "ada" },
    });
    const token = first.body["access_token"] ?? "";
    expect(token).toMatch(/^mr_user_[0-9A-Za-z]{38}$/);
    expect((await people.poll(device)).body["access_token"]).toBe(token);
    expect((await people.poll(device, people.other)).body["access_token"]).toBe(token);
    const actor = await identify(accounts, { bearer: token });
    expect(actor).toMatchObject({
      kind: "user",
      via: "token",
      name: "ada",
      organizationId: first.body["organization_id"],
    });
    const { items } = await listTokens(accounts, { actor, address: "" }, {});
    expect(items).toMatchObject([{ name: "CLI on ada-mbp", type: "user", owner: "ada" }]);
    const events = await accounts.db
      .selectFrom("audit_events")
      .select(["action", "target"])
      .where("target", "=", "CLI on ada-mbp")
      .orderBy("id")
      .execute();
    expect(events.map(({ action }) => action).sort()).toEqual(["device.approve", "token.create"]);
    const rows = await accounts.db.selectFrom("device_codes").selectAll().execute();
    expect(JSON.stringify([rows, people.logged])).not.toMatch(new RegExp(`${device}|${token}`));
    time.now += 900_000;
    expect((await people.poll(device)).body["error"]).toBe("expired_token");
  });

  test("2. errors", async () => {
    await using people = await open(kind);
    const { owner, time } = people;
    const { code, device } = await people.start();
    const errorOf = async (answer: Promise<{ status: number; body: Record<string, string> }>) => {
      const { status, body } = await answer;
      expect(status).toBe(400);
      expect(body["error_description"]).toMatch(/\.$/);
      return body["error"];
    };
    expect(await errorOf(people.poll(device))).toBe("authorization_pending");
    expect(await errorOf(people.poll(device))).toBe("slow_down");
    time.now += 9_000;
    expect(await errorOf(people.poll(device))).toBe("authorization_pending");
    time.now += 8_000;
    expect(await errorOf(people.poll(device))).toBe("slow_down");
    // Setting the clock back makes no poll early.
    time.now -= 3_600_000;
    expect(await errorOf(people.poll(device))).toBe("authorization_pending");
    time.now += 3_600_000;
    await owner.post("/oauth/device/deny", { code });
    expect(await errorOf(people.poll(device))).toBe("access_denied");
    expect(await errorOf(people.poll("unknown"))).toBe("invalid_grant");
    expect(await errorOf(people.poll("x".repeat(5000)))).toBe("invalid_grant");
    const form = { grant_type: GRANT, client_id: "millrace-cli", device_code: device };
    expect(await errorOf(people.send("/oauth/token", { ...form, client_id: "other" }))).toBe(
      "invalid_client",
    );
    expect(await errorOf(people.send("/oauth/token", { ...form, grant_type: "password" }))).toBe(
      "unsupported_grant_type",
    );
    expect(await errorOf(people.send("/oauth/device_authorization", {}))).toBe("invalid_client");
    const json = await people.app.request("/oauth/token", { method: "POST", body: "{}" });
    expect(await json.json()).toMatchObject({ error: "invalid_request" });
    const twice = await people.app.request("/oauth/token", {
      method: "POST",
      body: new URLSearchParams([...Object.entries(form), ["device_code", "b"]]),
    });
    expect(await twice.json()).toMatchObject({ error: "invalid_request" });
    const large = await people.app.request("/oauth/token", {
      method: "POST",
      body: new URLSearchParams({ more: "x".repeat(20_000) }),
    });
    expect(large.status).toBe(413);
    const expired = await people.start();
    time.now += 900_000;
    expect(await errorOf(people.poll(expired.device))).toBe("expired_token");
    expect((await owner.get(`/oauth/device?code=${expired.code}`)).status).toBe(404);
  });

  test("3. at the same time, revoked, and left", async () => {
    await using people = await open(kind);
    const { accounts, owner } = people;
    const approve = async () => {
      const { code, device } = await people.start();
      await owner.post("/oauth/device/approve", { code, organization: "acme" });
      return device;
    };
    const device = await approve();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => people.poll(device, index % 2 ? people.app : people.other)),
    );
    expect(new Set(answers.map(({ body }) => body["access_token"])).size).toBe(1);
    const tokens = await accounts.db.selectFrom("tokens").select("id").execute();
    expect(tokens).toHaveLength(1);
    const actor = await identify(accounts, { bearer: answers[0]?.body["access_token"] });
    await revokeToken(accounts, { actor, address: "" }, { tokenId: tokens[0]?.id ?? "" });
    expect((await people.poll(device)).body["error"]).toBe("invalid_grant");
    const second = await approve();
    await accounts.db.deleteFrom("members").execute();
    expect((await people.poll(second)).body["error"]).toBe("access_denied");
    expect(await accounts.db.selectFrom("tokens").select("id").execute()).toHaveLength(1);
  });

  test("4. who decides", async () => {
    await using people = await open(kind);
    const { owner } = people;
    const { code, device } = await people.start({
      machine: "<b>\u202Eevil\u001B[2J\n",
      system: "x".repeat(5000),
    });
    const stranger = people.browser();
    for (const path of ["/oauth/device/approve", "/oauth/device/deny"])
      expect(
        (await stranger.post(path, path.endsWith("deny") ? { code } : { code, organization: "acme" })).status,
      ).toBe(401);
    expect((await stranger.get(`/oauth/device?code=${code}`)).status).toBe(401);
    const approval = { code, organization: "acme" };
    const elsewhere = { "sec-fetch-site": "cross-site" };
    expect((await owner.post("/oauth/device/approve", approval, elsewhere)).status).toBe(403);
    expect(await owner.post("/oauth/device/approve", { code, organization: "other" })).toMatchObject({
      status: 404,
      body: { field: "organization" },
    });
    expect((await owner.get(`/oauth/device?code=${code}`)).body).toMatchObject({
      machine: "<b> evil [2J",
      system: "x".repeat(60),
    });
    const decisions = await Promise.all([
      owner.post("/oauth/device/approve", approval),
      owner.post("/oauth/device/deny", { code }),
      owner.post("/oauth/device/approve", approval),
    ]);
    expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await people.poll(device)).status).toBe(decisions[1]?.status === 200 ? 400 : 200);
    expect((await owner.get(`/oauth/device?code=${code}`)).body["code"]).toBe("failed_precondition");
    for (let guess = 0; guess < 20; guess += 1)
      expect((await owner.get("/oauth/device?code=BBBB-BBBB")).status).toBe(404);
    expect((await owner.get("/oauth/device?code=BBBB-BBBB")).status).toBe(429);
    expect((await owner.get(`/oauth/device?code=${code}`)).status).toBe(429);
    // The limit follows the person to other addresses; others at the same address are unaffected.
    people.place.address = "198.51.100.9";
    expect((await owner.get("/oauth/device?code=BBBB-BBBB")).status).toBe(429);
  });

  test("5. strangers who start logins", async () => {
    await using people = await open(kind);
    const { accounts, time, place, owner } = people;
    const begin = (headers: Record<string, string> = {}) =>
      people.send("/oauth/device_authorization", { client_id: "millrace-cli" }, people.app, headers);
    const rows = () => accounts.db.selectFrom("device_codes").selectAll().orderBy("created_at").execute();
    const first = await people.start();
    for (let count = 1; count < 20; count += 1, time.now += 1) await people.start();
    const limited = await begin();
    expect(limited).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    expect(limited.body["error_description"]).toMatch(/^Too many .* again in \d+ seconds; .*\.$/);
    // A waiting login gives way to a client that does the work; an approved login stays.
    await owner.post("/oauth/device/approve", { code: first.code, organization: "acme" });
    time.now += 60_000;
    expect((await begin()).status).toBe(200);
    const oldest = (await rows()).find(({ state }) => state === "pending");
    const crowded = await begin();
    expect(crowded.body["work"]).toMatchObject({ bits: 17 });
    const work = await doWork(crowded.body);
    expect((await begin(work)).status).toBe(200);
    expect((await begin(work)).status).toBe(429);
    expect((await rows()).map((row) => row.code_hash)).not.toContain(oldest?.code_hash);
    expect(await rows()).toHaveLength(21);
    expect((await people.poll(first.device)).status).toBe(200);
    // Other addresses are not asked for work.
    place.address = "198.51.100.7";
    expect((await begin()).status).toBe(200);
    time.now += 900_000;
    expect((await begin()).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  test("5. all places taken", async () => {
    await using people = await open(kind);
    const { accounts, place, time } = people;
    const begin = (headers: Record<string, string> = {}) =>
      people.send("/oauth/device_authorization", { client_id: "millrace-cli" }, people.app, headers);
    await people.start();
    const [row] = await accounts.db.selectFrom("device_codes").selectAll().execute();
    if (!row) throw new Error("It has just been made.");
    const fill = (many: number, network: (at: number) => string) =>
      accounts.db
        .insertInto("device_codes")
        .values(
          Array.from({ length: many }, (_, at) => ({
            ...row,
            code_hash: `${network(at)} ${at}`,
            user_code: `${network(at)} ${at}`,
            network: network(at),
            created_at: row.created_at + at,
          })),
        )
        .execute();
    await fill(499, () => "2001:db8:1::/48");
    for (let chunk = 0; chunk < 18; chunk += 1)
      await fill(500, (at) => `2001:${chunk.toString(16)}:${at.toString(16)}::/48`);
    await fill(500, (at) => `2002:${at.toString(16)}:0::/48`);
    place.address = "198.51.100.7";
    const asked = await begin();
    expect(asked.status).toBe(429);
    expect((await begin(await doWork(asked.body))).status).toBe(200);
    // The network with the most logins has lost its oldest login.
    const keys = (await accounts.db.selectFrom("device_codes").select("code_hash").execute()).map(
      (left) => left.code_hash,
    );
    expect(keys).toHaveLength(10_000);
    expect(keys).not.toContain("2001:db8:1::/48 0");
    expect(keys).toContain("2001:db8:1::/48 1");
    time.now += 900_000;
    expect((await begin()).status).toBe(200);
  });
});
