/**
 * Two servers on one PostgreSQL, each with a folder of its own:
 * 1. Both start simultaneously on an empty database: there is one organization, one owner, one token, and both are
 *    ready.
 * 2. One server's writes are read by the other immediately; a token that is revoked through one is refused there
 *    immediately and by the other within 5 seconds.
 * 3. A link and an invitation made through one server work through the other, once.
 * 4. Two creates of one name through both make one; the same create with one `Idempotency-Key` is answered the same.
 * 5. While PostgreSQL is unreachable calls are answered `unavailable` and the server says that it is not ready; when it is
 *    back, both continue.
 * 6. They also continue after all connections of a server were busy.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { json, send } from "../attack/requests.ts";
import {
  OWNER_TOKEN,
  prepareBuild,
  type RunningServer,
  serverEnvironment,
  startServer,
} from "../attack/server-process.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "./postgres.ts";

/** The documentation's figure. */
const REVOKED_EVERYWHERE_MS = 5_000;
const RECOVERED_MS = 30_000;
const PAUSE_MS = 50;
/** Connections of one server. */
const CONNECTIONS = 10;

const programs = findPostgres();
const key = randomBytes(32).toString("base64");

interface Answer {
  status: number;
  // The caller knows what the method answers.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

describe.skipIf(!programs)("replicas (skipped where PostgreSQL is not installed)", () => {
  let postgres: RunningPostgres;
  let first: RunningServer;
  let second: RunningServer;
  let env: { [name: string]: string };

  beforeAll(async () => {
    await prepareBuild();
    postgres = await startPostgres(programs!);
    env = { MILLRACE_DATABASE_URL: postgres.url, MILLRACE_SECRET_KEY: key, RATE_LIMIT_FACTOR: "0" };
    [first, second] = await Promise.all([startServer({ env }), startServer({ env })]);
  }, 300_000);
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
    await postgres?.close();
  }, 60_000);

  /** @param method `ProjectService/List` */
  async function call(
    server: RunningServer,
    method: string,
    body: object = {},
    headers = {},
  ): Promise<Answer> {
    const sent = json(`/api/millrace.v1.${method}`, body, {
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, ...headers },
    });
    const answer = await send(server.port, sent);
    return { status: answer.status, body: JSON.parse(answer.body.toString() || "null") };
  }

  const auth = async (server: RunningServer, path: string, body?: object): Promise<Answer> => {
    const answer = await send(server.port, body ? json(path, body) : { path });
    return { status: answer.status, body: JSON.parse(answer.body.toString()) };
  };

  async function query(text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<object>(text);
    await client.end();
    return rows;
  }

  /** @returns milliseconds until it held */
  async function untilTrue(holds: () => Promise<boolean>, withinMs: number): Promise<number> {
    const begun = performance.now();
    while (!(await holds())) {
      if (performance.now() - begun > withinMs) return Number.POSITIVE_INFINITY;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return performance.now() - begun;
  }

  test("1. one organization", async () => {
    expect(await query("select name from organizations")).toEqual([{ name: "default" }]);
    expect(await query("select count(*)::int as count from users")).toEqual([{ count: 1 }]);
    expect(await query("select count(*)::int as count from tokens")).toEqual([{ count: 1 }]);
    for (const server of [first, second]) {
      expect((await send(server.port, { path: "/readyz" })).status).toBe(200);
      expect((await call(server, "AccountService/WhoAmI")).status).toBe(200);
    }
  });

  test("2. a token that is revoked", async () => {
    const made = await call(first, "TokenService/Create", { name: "ci", type: "org" });
    expect(made.status).toBe(200);
    const { id } = made.body.token;
    const asToken = { authorization: `Bearer ${made.body.secret}` };
    const ask = (server: RunningServer) => call(server, "AccountService/WhoAmI", {}, asToken);
    expect([(await ask(first)).status, (await ask(second)).status]).toEqual([200, 200]);
    expect((await call(first, "TokenService/Revoke", { token_id: id })).status).toBe(200);
    expect(await ask(first)).toMatchObject({ status: 401, body: { message: "token is revoked" } });
    const isRefused = async () => (await ask(second)).status === 401;
    expect(await untilTrue(isRefused, REVOKED_EVERYWHERE_MS)).toBeLessThan(REVOKED_EVERYWHERE_MS);
  });

  test("3. links and invitations", async () => {
    const command = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "src/server/main.ts", "owner-link"],
      {
        cwd: root,
        env: serverEnvironment(first.port, first.dataDir, env),
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let output = "";
    command.stdout.on("data", (chunk) => (output += chunk));
    await once(command, "close");
    const [, link = ""] = /\/app\/start\/(\S+)/.exec(output) ?? [];
    expect(await auth(second, `/auth/start/${link}`)).toMatchObject({ body: { state: "ready" } });
    const uses = await Promise.all([first, second].map((server) => auth(server, `/auth/start/${link}`, {})));
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const server of [first, second])
      expect((await auth(server, `/auth/start/${link}`)).body.state).toBe("used");

    const invited = await call(first, "OrganizationService/CreateInvitation", { role: "member" });
    const invitation = new URL(invited.body.url as string).pathname.split("/").at(-1);
    const joins = await Promise.all(
      [first, second].map((server, at) =>
        auth(server, `/auth/invitation/${invitation}`, { name: `Ada ${at}` }),
      ),
    );
    expect(joins.filter(({ status }) => status === 200)).toHaveLength(1);
    const members = await call(second, "OrganizationService/ListMembers");
    expect(members.body.members).toHaveLength(2);
  });

  test("4. the same create through both", async () => {
    const named = await Promise.all(
      [first, second].map((server) => call(server, "ProjectService/Create", { name: "web" })),
    );
    expect(named.map(({ status }) => status).sort()).toEqual([200, 409]);
    const once = { "idempotency-key": "one" };
    const [one, two] = await Promise.all(
      [first, second].map((server) => call(server, "ProjectService/Create", { name: "api" }, once)),
    );
    expect(one).toEqual(two);
    expect(one?.status).toBe(200);
  });

  const works = async (server: RunningServer) =>
    (await call(server, "ProjectService/List")).status === 200 &&
    (await send(server.port, { path: "/readyz" })).status === 200;

  test("5. PostgreSQL is unreachable", { timeout: 120_000 }, async () => {
    await postgres.stop();
    // Tokens of the last seconds are remembered, so a token that no one has used yet is also tried.
    const stranger = { authorization: `Bearer ${OWNER_TOKEN}x` };
    for (const server of [first, second]) {
      expect(await call(server, "ProjectService/List")).toMatchObject({
        status: 503,
        body: { code: "unavailable" },
      });
      expect((await call(server, "AccountService/WhoAmI", {}, stranger)).status).not.toBe(200);
      const isNotReady = async () => (await send(server.port, { path: "/readyz" })).status === 503;
      expect(await untilTrue(isNotReady, RECOVERED_MS)).toBeLessThan(RECOVERED_MS);
      // Pages that need no records keep working.
      expect((await send(server.port, { path: "/docs" })).status).toBe(200);
    }
    await postgres.start();
    for (const server of [first, second])
      expect(await untilTrue(() => works(server), RECOVERED_MS)).toBeLessThan(RECOVERED_MS);
  });

  test("6. all connections are busy", { timeout: 120_000 }, async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query("begin; lock table projects in access exclusive mode");
    const asked = Array.from({ length: CONNECTIONS + 5 }, () => call(first, "ProjectService/List"));
    // The answer to a call without a connection; the others wait for the table.
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
    await client.query("rollback");
    await client.end();
    const all = await Promise.all(asked);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(await untilTrue(() => works(first), RECOVERED_MS)).toBeLessThan(RECOVERED_MS);
  });
});
