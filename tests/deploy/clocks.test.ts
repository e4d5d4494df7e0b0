/**
 * Three servers on one PostgreSQL, one whose clock is right, one an hour ahead and one an hour behind:
 *
 * 1. Each knows the other two, and none ends a build that waits for its client.
 * 2. Expiry is the same at each: a login of the CLI, a one-time link, a token.
 * 3. A share that strangers have used up at one of them is used up at each, and comes back when it should.
 * 4. Each says by how much its clock is wrong.
 */
import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, send } from "../attack/requests.ts";
import { OWNER_TOKEN, prepareBuild, type RunningServer, startServer } from "../attack/server-process.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "./postgres.ts";

const HOUR_MS = 3_600_000;
const CLOCKS = [0, HOUR_MS, -HOUR_MS];
/** Each server looks after builds every two seconds. */
const LOOKS_MS = 6_000;
/** Guesses of one address: more than are looked at. */
const MOST_GUESSES = 300;
/** More than become available meanwhile. */
const AT_ONCE = 30;
/** The longest wait until one more is looked at. */
const SHARE_SECONDS = 60;
const programs = findPostgres();
const form = { "content-type": "application/x-www-form-urlencoded" };

describe.skipIf(!programs)("clocks that differ (skipped where PostgreSQL is not installed)", () => {
  let postgres: RunningPostgres;
  const servers: RunningServer[] = [];

  beforeAll(async () => {
    await prepareBuild();
    postgres = await startPostgres(programs!);
    const key = randomBytes(32).toString("base64");
    for (const clock of CLOCKS) {
      const env = {
        MILLRACE_DATABASE_URL: postgres.url,
        MILLRACE_SECRET_KEY: key,
        TRUSTED_PROXIES: "127.0.0.1",
      };
      servers.push(await startServer({ env: { ...env, ATTACK_CLOCK_MS: String(clock) } }));
    }
  }, 300_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await postgres?.close();
  }, 60_000);

  async function call(server: RunningServer, method: string, body: object = {}, token = OWNER_TOKEN) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await send(server.port, json(`/api/millrace.v1.${method}`, body, { headers }));
    // The caller knows what the method answers.
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: answer.status, body: JSON.parse(answer.body.toString() || "null") as any };
  }

  async function device(server: RunningServer, path: string, fields: Record<string, string>) {
    const body = new URLSearchParams({ client_id: "millrace-cli", ...fields }).toString();
    const answer = await send(server.port, { method: "POST", path, headers: form, body });
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    return { status: answer.status, body: JSON.parse(answer.body.toString() || "null") as any };
  }

  test("1. servers and builds", { timeout: 120_000 }, async () => {
    const { body: made } = await call(servers[0]!, "ProjectService/Create", { name: "web" });
    const ids: string[] = [];
    for (const server of servers) {
      const { body } = await call(server, "BuildService/CreateBuild", { project_id: made.project.id });
      ids.push(body.build.id);
    }
    // Waits until each server has looked, not until something has happened.
    await wait(LOOKS_MS);
    for (const server of servers) {
      const machines = async () => (await call(server, "BuilderService/ListCapabilities")).body.machines;
      await expect.poll(machines, { timeout: 30_000 }).toHaveLength(servers.length);
      for (const id of ids) {
        const { body: found } = await call(server, "BuildService/GetBuild", { build_id: id });
        expect(found.build).toMatchObject({ state: "queued" });
      }
    }
  });

  test("2. what ends", { timeout: 120_000 }, async () => {
    for (const first of servers) {
      const { body: started } = await device(first, "/oauth/device_authorization", {});
      const { body: made } = await call(first, "TokenService/Create", {
        name: `of ${servers.indexOf(first)}`,
        type: "org",
        expires_at: new Date(Date.now() + HOUR_MS / 2).toISOString(),
      });
      for (const server of servers) {
        const polled = await device(server, "/oauth/token", {
          grant_type: "urn:ietf:params:oauth:grant-type:device_code",
          device_code: started.device_code,
        });
        expect(["authorization_pending", "slow_down"]).toContain(polled.body.error);
        const who = await call(server, "AccountService/WhoAmI", {}, made.secret);
        expect(who.status).toBe(200);
      }
    }
  });

  test("3. shares", { timeout: 120_000 }, async () => {
    for (const first of servers) {
      const address = `203.0.113.${10 + servers.indexOf(first)}`;
      // A link that no one has made.
      const ask = (server: RunningServer) =>
        send(server.port, {
          ...json(`/auth/start/${randomInt(1_000, 9_999)}-2MXR-9KTD`, {}),
          headers: { "content-type": "application/json", "x-forwarded-for": address },
        });
      for (let guesses = 0; guesses < MOST_GUESSES; guesses += 1)
        if ((await ask(first)).status === 429) break;
      for (const server of servers) {
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(server)));
        const refused = answers.filter(({ status }) => status === 429);
        expect([address, refused.length]).not.toEqual([address, 0]);
        for (const { headers } of refused)
          expect(Number(headers["retry-after"])).toBeLessThanOrEqual(SHARE_SECONDS);
      }
    }
  });

  test("4. what is said", () => {
    for (const [at, server] of servers.entries()) {
      const [, said] = /clock is (\d+ minutes (?:ahead of|behind)) PostgreSQL's/.exec(server.output()) ?? [];
      expect(said).toBe([undefined, "60 minutes ahead of", "60 minutes behind"][at]);
    }
  });
});
