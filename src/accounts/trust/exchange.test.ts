/**
 * 1. A job's token is exchanged, repeatedly, for tokens of its project with the right of its relationship, which expire; the
 *    audit log names the job.
 * 2. Another issuer, audience, claim or project is refused, with the differences; nothing is written.
 * 3. A project that does not exist is answered like one that does not trust the issuer.
 * 4. A project's exchanges are limited, and counted for metrics.
 * 5. A stored relationship that trusts everyone at a shared issuer lets no job in, and says which claim it lacks.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { SHARED_ISSUERS } from "#platform/text/shared-issuers.ts";
import { identify } from "../index.ts";
import { countExchanges } from "./exchange.ts";
import { startTestIssuer, type TestIssuer } from "../testing/issuer.ts";
import { openTrustingProject, ORIGIN, SUBJECT } from "../testing/trusting-project.ts";

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startTestIssuer();
});
afterAll(() => issuer.close());

const open = (kind: DatabaseKind) => openTrustingProject(kind, issuer);

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. good", async () => {
    await using place = await open(kind);
    const { accounts, time, projectId, sign, exchange } = place;
    const oidcToken = await sign();
    const first = await exchange(oidcToken);
    const second = await exchange(oidcToken);
    expect(first.secret).toMatch(/^mr_job_/);
    expect(second.secret).not.toBe(first.secret);
    expect(first.expiresAt).toBe(time.now + 6 * 3_600_000);
    expect(await identify(accounts, { bearer: first.secret })).toMatchObject({
      kind: "job",
      projectId,
      cache: "write",
      name: SUBJECT,
    });
    const pull = await exchange(await sign({ ref: "refs/pull/1/merge" }));
    expect(await identify(accounts, { bearer: pull.secret })).toMatchObject({ cache: "read" });
    const events = await accounts.db
      .selectFrom("audit_events")
      .selectAll()
      .where("target_id", "=", first.tokenId)
      .execute();
    expect(events).toMatchObject([{ action: "token.create", actor: SUBJECT, address: "198.51.100.7" }]);
    expect(JSON.stringify(place.logged)).not.toContain(first.secret);
    time.now = first.expiresAt;
    await expect(identify(accounts, { bearer: first.secret })).rejects.toThrow("token is expired");
  });

  test("5. stored before its issuer was known to be shared", async () => {
    await using place = await open(kind);
    const shared = SHARED_ISSUERS as Map<string, readonly string[]>;
    shared.set(issuer.origin, ["repository_id", "sub"]);
    onTestFinished(() => void shared.delete(issuer.origin));
    await expect(place.exchange(await place.sign())).rejects.toMatchObject({
      code: "permission_denied",
      message: `no trust relationship matches\n  The trust relationship is not used: anybody can run a job at ${issuer.origin}: require one of the claims repository_id, sub.`,
    });
    shared.set(issuer.origin, ["repository"]);
    await place.exchange(await place.sign());
  });

  test("2. and 3. refused", async () => {
    await using place = await open(kind);
    const { accounts, time, sign, exchange } = place;
    const refused = async (token: string, message: string, of?: string) =>
      expect(exchange(token, of)).rejects.toMatchObject({ code: "permission_denied", message });
    await refused(
      await sign({ repository: "mallory/web" }),
      'no trust relationship matches\n  repository: wanted "acme/web", got "mallory/web"',
    );
    for (const [aud, got] of [
      ["https://other.example", '"https://other.example"'],
      [[ORIGIN, "https://other.example"], "a list or an object"],
      [`${ORIGIN}/`, `"${ORIGIN}/"`],
    ] as const)
      await refused(
        await sign({ aud }),
        `no trust relationship matches\n  aud: wanted "${ORIGIN}", got ${got}`,
      );
    const stranger = await startTestIssuer();
    const strange = await stranger.sign({ sub: SUBJECT, aud: ORIGIN, exp: time.now / 1000 + 300 });
    const noIssuer = `no trust relationship matches: the project does not trust the issuer "${stranger.origin}", or there is no such project`;
    await refused(strange, noIssuer);
    await refused(strange, noIssuer, "prj_0000000000");
    await refused(strange, noIssuer, "prj\n_\u202E".repeat(100));
    expect(stranger.requests.size).toBe(0);
    await stranger.close();
    await expect(exchange(await sign({ exp: 1 }))).rejects.toThrow("OIDC token is expired");
    await expect(exchange("")).rejects.toMatchObject({ code: "invalid_argument", field: "oidc_token" });
    await expect(exchange(await sign(), "")).rejects.toMatchObject({ field: "project_id" });
    const rows = await accounts.db.selectFrom("tokens").select("id").where("type", "=", "job").execute();
    expect(rows).toEqual([]);
  });

  test("4. limits", async () => {
    await using place = await open(kind);
    const token = await place.sign({ sub: `\u001B[2J\u202E${"x".repeat(1000)}` });
    const { tokenId } = await place.exchange(token);
    const row = await place.accounts.db
      .selectFrom("tokens")
      .selectAll()
      .where("id", "=", tokenId)
      .executeTakeFirstOrThrow();
    expect(row.name).toMatch(/^[\x20-\x7E]{80}$/);
    expect(row.created_by).toHaveLength(200);
    const all = await Promise.allSettled(Array.from({ length: 300 }, () => place.exchange(token)));
    const refused = all.filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject([{ reason: { code: "resource_exhausted" } }]);
    expect([...countExchanges(place.accounts)]).toEqual([
      ["exchanged", 300],
      ["resource_exhausted", 1],
    ]);
  });
});
