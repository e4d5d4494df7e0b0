/**
 * 1. Every member sees what can run and on which machines; only operators see the command.
 * 2. A build on a machine that lacks something gets the sentence of the check: an operator with the command, another member with
 *    whom to ask.
 * 3. Other servers of the installation are listed with their reports; a release that reports nothing causes no problem.
 * 4. Layer caches are listed by project, without projects that never built.
 */
import { describe, expect, test } from "vitest";
import { type Actor } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestBuilds } from "../testing/builds.ts";

const platform = "linux/amd64";
const lost = "Builders cannot run on this server yet: runc is missing.";
const command = "npm start -- setup-builders";
const lacking = [{ name: "Images for linux/amd64", state: "missing" as const, lost, command }];

/** A member of the same organization. */
function asMember(actor: Actor): Actor {
  if (actor.kind !== "user") throw new Error("The test's owner is a person.");
  return { ...actor, memberships: actor.memberships.map((each) => ({ ...each, role: "member" as const })) };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 2. who is told what", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller, machine } = place;
    machine.capabilities = lacking;
    machine.error = new Error(lost);
    const member = { ...caller, actor: asMember(caller.actor) };
    expect((await builds.capabilities(caller)).capabilities).toEqual([{ ...lacking[0], machine: "build-1" }]);
    const { capabilities, machines } = await builds.capabilities(member);
    expect(capabilities).toEqual([{ ...lacking[0], command: "", machine: "build-1" }]);
    expect(machines).toMatchObject([{ name: "build-1", isHere: true, cpus: 8 }]);
    expect(await builds.describe()).toBe(`${lost} Run this, even while the server is running: ${command}`);

    const { id: projectId } = await place.addProject("web");
    const want = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
    const { id: buildId } = await builds.create(caller, want);
    const ask = (who: typeof caller) => builds.getEndpoint(who, { buildId, platform });
    await expect(ask(caller)).rejects.toMatchObject({
      code: "unavailable",
      message: `${lost} On the server's machine, run: ${command}`,
    });
    await expect(ask(member)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Builders cannot run.+missing\. Ask an owner of \S+ to prepare this server for builders\.$/,
      ),
    });
  });

  test("4. layer caches", async () => {
    await using place = await openTestBuilds(kind);
    const { builds, caller } = place;
    const { id } = await place.addProject("web");
    await place.addProject("never-built");
    place.caches.add(id);
    const found = await builds.layerCaches(caller);
    expect(found).toMatchObject([{ projectId: id, caches: [{ platform, bytes: 10 }] }]);
  });
});

test.runIf(testDatabaseKinds.includes("postgres"))("3. other servers", async () => {
  await using place = await openTestBuilds("postgres", { server: "one" });
  const other = await place.openReplica({ server: "two" });
  try {
    // Known after the first check, and sent with the next heartbeat.
    await other.builds.capabilities(place.caller);
    place.time.now += 60_000;
    await other.builds.look();
    const silent = { holder: "three.1", server: "three", address: "10.0.0.3:8372" };
    await place.database.db
      .insertInto("build_servers")
      .values({ ...silent, expires_at: place.time.now + 60_000 })
      .execute();
    const { machines, capabilities } = await place.builds.capabilities(place.caller);
    expect(machines.map(({ name, isHere, cpus }) => [name, isHere, cpus])).toEqual([
      ["build-1", true, 8],
      ["build-1", false, 8],
      ["10.0.0.3:8372", false, 0],
    ]);
    expect(capabilities).toHaveLength(2);
  } finally {
    await other.close();
  }
});
