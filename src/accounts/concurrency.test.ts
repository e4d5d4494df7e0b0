/**
 * Several servers on one database at the same moment. With SQLite they are one process, and run one after another.
 *
 * 1. Two owners remove each other, or both step down, at the same time: one stays.
 * 2. Two create an organization, or a project, of one name at the same time: one of them gets `already_exists`.
 * 3. Simultaneous first starts make one first organization, one owner and one token.
 * 4. Many simultaneous creates all succeed, and each has its line in the audit log.
 * 5. When two callers revoke one token at the same time, one writes the line in the audit log.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { createAccounts } from "./create-accounts.ts";
import {
  createOrganization,
  createProject,
  createToken,
  ensureFirstOrganization,
  identify,
  listAuditEvents,
  Refused,
  removeMember,
  revokeToken,
  setOwnerToken,
  updateMember,
} from "./index.ts";
import { makePerson, openTestAccounts, OWNER_TOKEN } from "./testing/accounts.ts";

const codesOf = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls))
    .map((done) => {
      if (done.status === "fulfilled") return "done";
      if (done.reason instanceof Refused) return done.reason.code;
      throw done.reason;
    })
    .sort();

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. the last owner", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const there = createAccounts(accounts);
    for (let round = 0; round < 5; round += 1) {
      const ada = await makePerson(place, "ada", { organization: `acme-${round}` });
      const organization = ada.caller.actor.organizationId ?? "";
      const grace = await makePerson(place, "grace", { organizationId: organization });
      const remove = () => [
        removeMember(accounts, ada.caller, { organization, userId: grace.userId }),
        removeMember(there, grace.caller, { organization, userId: ada.userId }),
      ];
      const stepDown = () => [
        updateMember(accounts, ada.caller, { organization, userId: ada.userId, role: "member" }),
        updateMember(there, grace.caller, { organization, userId: grace.userId, role: "member" }),
      ];
      expect(await codesOf(round % 2 ? remove() : stepDown())).toEqual(["done", "failed_precondition"]);
      const owners = await accounts.db
        .selectFrom("members")
        .selectAll()
        .where("organization_id", "=", organization)
        .where("role", "=", "owner")
        .execute();
      expect(owners).toHaveLength(1);
    }
    await there.close();
  });

  test("2. one name", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const there = createAccounts(accounts);
    const { caller } = await makePerson(place, "ada", { isOperator: true });
    const both = [accounts, there, accounts, there];
    expect(await codesOf(both.map((one) => createOrganization(one, caller, { name: "acme" })))).toEqual([
      "already_exists",
      "already_exists",
      "already_exists",
      "done",
    ]);
    expect(await codesOf(both.map((one) => createProject(one, caller, { name: "web" })))).toEqual([
      "already_exists",
      "already_exists",
      "already_exists",
      "done",
    ]);
    await there.close();
  });

  test("3. first starts", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const there = createAccounts(accounts);
    const [one, two] = await Promise.all([ensureFirstOrganization(accounts), ensureFirstOrganization(there)]);
    expect([one.id, one.hasOwner]).toEqual([two.id, false]);
    await Promise.all([setOwnerToken(accounts, OWNER_TOKEN), setOwnerToken(there, OWNER_TOKEN)]);
    const actors = await Promise.all([accounts, there].map((at) => identify(at, { bearer: OWNER_TOKEN })));
    expect(actors[0]).toEqual(actors[1]);
    expect((await ensureFirstOrganization(there)).hasOwner).toBe(true);
    for (const table of ["organizations", "users", "members", "tokens"] as const)
      expect(await accounts.db.selectFrom(table).selectAll().execute()).toHaveLength(1);
    await there.close();
  });

  test("4. and 5. many at once", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const { caller } = await makePerson(place, "ada");
    const making = Array.from({ length: 50 }, (_, index) =>
      createProject(accounts, caller, { name: `web-${index}` }),
    );
    expect(new Set((await Promise.all(making)).map(({ id }) => id)).size).toBe(50);
    const { token } = await createToken(accounts, caller, { name: "ci", type: "org" });
    const revoking = [0, 1, 2].map(() => revokeToken(accounts, caller, { tokenId: token.id }));
    expect(await codesOf(revoking)).toEqual(["done", "done", "done"]);
    const { items } = await listAuditEvents(accounts, caller, { pageSize: 100 });
    const count = (action: string) => items.filter((event) => event.action === action).length;
    expect([count("project.create"), count("token.create"), count("token.revoke")]).toEqual([50, 1, 1]);
  });
});
