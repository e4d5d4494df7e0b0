/**
 * 1. The operator's token works without a checksum, on both kinds of database; setting another token ends it; with no token
 *    set, none works. When its person is no longer an owner, the next start gives it to a person who is.
 * 2. A created token works with its checksum; a revoked one is refused immediately with that reason; a truncated one costs no
 *    database query.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import {
  createProject,
  createToken,
  getProject,
  identify,
  removeMember,
  revokeToken,
  setOwnerToken,
} from "./index.ts";
import { makePerson, OWNER_TOKEN, openTestAccounts } from "./testing/accounts.ts";

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. the operator's token", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    await setOwnerToken(accounts, OWNER_TOKEN);
    const actor = await identify(accounts, { bearer: OWNER_TOKEN });
    expect(actor).toMatchObject({
      kind: "user",
      name: "owner",
      memberships: [{ role: "owner", isFirst: true }],
    });
    const other = `${OWNER_TOKEN}-other`;
    await setOwnerToken(accounts, other);
    await expect(identify(accounts, { bearer: OWNER_TOKEN })).rejects.toThrow("token is mistyped or cut off");
    expect(await identify(accounts, { bearer: other })).toMatchObject({
      userId: "userId" in actor && actor.userId,
    });
    await setOwnerToken(accounts, null);
    await expect(identify(accounts, { bearer: other })).rejects.toThrow("token is mistyped or cut off");
    await setOwnerToken(accounts, other);
    await expect(identify(accounts, { bearer: other })).rejects.toThrow("token is revoked");
    expect(place.logged.at(-1)).toMatch(/was revoked and stays revoked/);
    await expect(setOwnerToken(accounts, "mr_user_short")).rejects.toThrow(/at least 32/);
  });

  test("1. an owner who left", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    await setOwnerToken(accounts, OWNER_TOKEN);
    const former = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "" };
    const userId = former.actor.kind === "user" ? former.actor.userId : "";
    const ada = await makePerson(place, "ada", { isOperator: true });
    await removeMember(accounts, ada.caller, { userId });
    expect(await identify(accounts, { bearer: OWNER_TOKEN })).toMatchObject({ userId, memberships: [] });
    await setOwnerToken(accounts, OWNER_TOKEN);
    expect(await identify(accounts, { bearer: OWNER_TOKEN })).toMatchObject({
      userId: ada.userId,
      memberships: [{ role: "owner", isFirst: true }],
    });
  });

  test("2. a token's life", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    await setOwnerToken(accounts, OWNER_TOKEN);
    const caller = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "192.0.2.1" };
    const project = await createProject(accounts, caller, { name: "web" });
    const { token, secret } = await createToken(accounts, caller, {
      name: "ci",
      type: "project",
      projectId: project.id,
    });
    const actor = await identify(accounts, { bearer: secret });
    expect(actor).toMatchObject({ kind: "project", projectId: project.id, name: "ci" });
    expect(await getProject(accounts, { actor, address: "" }, { projectId: project.id })).toEqual(project);
    await revokeToken(accounts, caller, { tokenId: token.id });
    await expect(identify(accounts, { bearer: secret })).rejects.toThrow("token is revoked");
    await expect(identify(accounts, { bearer: secret.slice(0, -1) })).rejects.toThrow("mistyped or cut off");
    await expect(identify(accounts, {})).rejects.toThrow("no token");
  });
});
