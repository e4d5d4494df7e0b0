/**
 * 1. The record that proves a step ticks it, with its text and time; before that the step is null.
 * 2. Members do not see the name of an organization's token.
 * 3. The first use of a token is an event; later uses are not.
 */
import { expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { decideDevice, startDevice } from "../device/device-codes.ts";
import { pollDevice } from "../device/device-token.ts";
import { createProject, createToken, identify } from "../index.ts";
import { makePerson, openTestAccounts } from "../testing/accounts.ts";
import { addExchange } from "../trust/keep-exchange.ts";
import { changeRecords } from "../changes/change-records.ts";
import { readFirstRun } from "./first-run.ts";

test.each(testDatabaseKinds)("1. to 3. %s", async (kind) => {
  await using place = await openTestAccounts(kind);
  const { accounts, time } = place;
  const ada = await makePerson(place, "ada", { organization: "acme" });
  await makePerson(place, "eve", { organization: "evil-corp" });
  const { actor } = ada.caller;
  const organizationId = actor.organizationId ?? "";
  const at = () => new Date(time.now).toISOString();
  const read = () => readFirstRun(accounts, actor, organizationId);
  const nothing = { login: null, project: null, token: null, job: null, colleague: null };
  expect(await read()).toEqual(nothing);

  const client = { name: "millrace 1.4.0", machine: "ada-mbp", system: "macOS" };
  const { deviceCode, userCode } = await startDevice(accounts, { client, address: "" });
  await decideDevice(accounts, actor, { userCode, organizationId, address: "" });
  await pollDevice(accounts, { deviceCode, address: "" });
  expect(await read()).toEqual({
    ...nothing,
    login: { at: at(), found: { text: "ada on ada-mbp", id: expect.stringMatching(/^tok_/) } },
  });

  time.now += 60_000;
  const { id: projectId } = await createProject(accounts, ada.caller, { name: "web" });
  const { project } = await read();
  expect(project).toEqual({ at: at(), found: { text: "web", id: projectId } });

  const { token, secret } = await createToken(accounts, ada.caller, { name: "machine", type: "org" });
  expect((await read()).token).toBeNull();
  // However soon it follows the creation.
  time.now += 1_000;
  await identify(accounts, { bearer: secret });
  await accounts.uses.flush();
  expect((await read()).token).toEqual({ at: at(), found: { text: "machine", id: token.id } });
  const told = () =>
    accounts.db.selectFrom("events").select(["subject", "text"]).where("kind", "=", "token.use").execute();
  const first = [{ subject: token.id, text: "organization token machine used for the first time" }];
  expect(await told()).toEqual(first);
  time.now += 24 * 60 * 60_000;
  await identify(accounts, { bearer: secret });
  await accounts.uses.flush();
  expect(await told()).toEqual(first);

  time.now += 60_000;
  const ben = await makePerson(place, "ben", { organizationId, role: "member" });
  expect((await read()).colleague).toMatchObject({ found: { text: "ben", id: ben.userId } });
  expect(await readFirstRun(accounts, ben.caller.actor, organizationId)).toMatchObject({
    login: null,
    token: null,
  });

  const job = {
    organizationId,
    projectId,
    issuer: "https://ci.example",
    subject: "repo:acme/web",
    claims: {},
  };
  const kept = { ...job, wanted: new Set<string>(), address: "", differences: [], tokenId: null };
  const author = { name: "job", id: "job", address: "" };
  const keep = (refusedBecause: string) =>
    changeRecords(accounts, author, ({ transaction }) =>
      addExchange(accounts, transaction, { ...kept, refusedBecause }),
    );
  await keep("The claims differ.");
  expect((await read()).job).toBeNull();
  await keep("");
  expect((await read()).job).toMatchObject({ at: at(), found: { text: "repo:acme/web, a job of web" } });
});
