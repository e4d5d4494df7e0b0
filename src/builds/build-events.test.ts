/**
 * 1. Owners and members of a build's organization get its events immediately, as the application does, with the project, from
 *    registration to end. No one else gets any, neither in their own organization's stream nor in that of others.
 * 2. The checklist of an organization shows its first successful build, with its title, not another organization's, and not one of
 *    a deleted project.
 */
import { expect, test } from "vitest";
import { createEventRoutes, createProject, deleteProject } from "#accounts/index.ts";
import { addTestToken, makePerson } from "#accounts/testing/accounts.ts";
import { readEvents } from "#accounts/testing/events.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestBuilds, OWNER_TOKEN } from "./testing/builds.ts";

const bearerOf = (secret: string) => ({ authorization: `Bearer ${secret}` });

test.each(testDatabaseKinds)("1. %s", async (kind) => {
  await using place = await openTestBuilds(kind);
  const { accounts, builds, caller } = place;
  const routes = createEventRoutes(accounts, { addressOf: () => "198.51.100.7" });
  const { id: projectId } = await place.addProject("web");
  const eve = await makePerson(place, "eve", { organization: "evil-corp" });
  const organizationId = eve.caller.actor.organizationId ?? "";
  const stranger = bearerOf(await addTestToken(place, { type: "org", organizationId }));
  const owner = await readEvents(routes.app, "/app/default/events", bearerOf(OWNER_TOKEN));
  const theirs = await readEvents(routes.app, "/app/evil-corp/events", stranger);
  const refused = await readEvents(routes.app, "/app/default/events", stranger);
  expect([owner.status, theirs.status, refused.status]).toEqual([200, 200, 404]);

  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id: buildId } = await builds.create(caller, input);
  await builds.getEndpoint(caller, { buildId, platform: "linux/amd64" });
  await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
  await owner.until(({ data }) => data?.kind === "build.finish");
  const told = owner.changes.filter(({ kind: what }) => what.startsWith("build."));
  expect(told.map(({ kind: what }) => what)).toEqual(["build.create", "build.start", "build.finish"]);
  expect(JSON.stringify(told)).toContain(buildId);

  // This event comes last: once it has arrived, nothing earlier is pending.
  await createProject(accounts, eve.caller, { name: "own" });
  await theirs.until(({ data }) => data?.kind === "project.create");
  expect(JSON.stringify([theirs.messages, refused.messages])).not.toMatch(/build\.|bld_|prj_.*web/);
  await Promise.all([owner.leave(), theirs.leave()]);
  await routes.streams.stop();
});

test.each(testDatabaseKinds)("2. %s", async (kind) => {
  await using place = await openTestBuilds(kind);
  const { accounts, builds, caller, time } = place;
  const routes = createEventRoutes(accounts, {
    addressOf: () => "198.51.100.7",
    roomSteps: { build: builds.findFirst },
  });
  const { id: projectId } = await place.addProject("web");
  const { id: otherId } = await place.addProject("api");
  const build = async (of: string, title: string, isGood: boolean) => {
    const input = { projectId: of, save: false, saveTags: [], branch: "", commitSha: "" };
    const { id: buildId } = await builds.create(caller, { ...input, labels: title === "" ? {} : { title } });
    await builds.getEndpoint(caller, { buildId, platform: "linux/amd64" });
    const { finishedAt } = await builds.finish(caller, { buildId, succeeded: isGood, error: "", digest: "" });
    time.now += 1000;
    const text = title.slice(0, 200) || buildId;
    return { at: new Date(finishedAt ?? 0).toISOString(), found: { text, id: buildId } };
  };
  const eve = await makePerson(place, "eve", { organization: "evil-corp" });
  const organizationId = eve.caller.actor.organizationId ?? "";
  const stranger = await addTestToken(place, { type: "org", organizationId });
  const read = async (organization: string, secret: string) => {
    const address = `https://build.acme.example/app/${organization}/first-run`;
    const answer = await routes.app.request(address, { headers: bearerOf(secret) });
    return answer.ok ? ((await answer.json()) as { steps: object }).steps : answer.status;
  };
  const own = () => read("default", OWNER_TOKEN);
  await build(projectId, "Break it", false);
  expect(await own()).toMatchObject({ build: null });
  const first = await build(projectId, "Fix it. ".repeat(100), true);
  const second = await build(otherId, "", true);
  expect(await own()).toMatchObject({ build: first });
  expect(await read("evil-corp", stranger)).toMatchObject({ build: null });
  expect(await read("default", stranger)).toBe(404);
  await deleteProject(accounts, caller, { projectId });
  expect(await own()).toMatchObject({ build: second });
  await routes.streams.stop();
});
