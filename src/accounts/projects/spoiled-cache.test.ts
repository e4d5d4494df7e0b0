/**
 * 1. A note is stored with its project and in the audit log, by the server. The same note again changes nothing; later
 *    findings are added, and at most 100 images are named.
 * 2. A person who may change the project can dismiss the note, with a line in the audit log; after that it may be noted
 *    again.
 * 3. Nothing is noted for a deleted project.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { listAuditEvents } from "../organizations/audit-events.ts";
import { createProject, getProject, listProjects } from "./projects.ts";
import { noteSpoiledCache } from "./spoiled-cache.ts";
import { makePerson, openTestAccounts } from "../testing/accounts.ts";
import { updateProject } from "./update-project.ts";

const found = { platforms: ["linux/amd64"], since: 5_000, images: ["bld_2", "bld_1"], hasMoreImages: false };

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3. noted, dismissed", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller } = await makePerson(place, "ada");
    const { id: projectId } = await createProject(accounts, caller, { name: "web" });
    const read = async () => (await getProject(accounts, caller, { projectId })).spoiledCache;
    const events = async () => {
      const page = { pageSize: 50, pageToken: "", organization: "" };
      const { items } = await listAuditEvents(accounts, caller, { ...page, query: "web" });
      return items.filter(({ action }) => action !== "project.create");
    };
    expect(await read()).toBeNull();

    const resetAt = time.now;
    await noteSpoiledCache(accounts, projectId, found);
    time.now += 60_000;
    expect(await noteSpoiledCache(accounts, projectId, found)).toMatchObject({ project: "web" });
    expect(await read()).toEqual({ ...found, resetAt });
    const { items } = await listProjects(accounts, caller, { pageSize: 50, pageToken: "" });
    expect(items).toMatchObject([{ spoiledCache: found, revision: 2 }]);
    expect(await events()).toMatchObject([
      {
        action: "project.spoiled",
        actor: "the server",
        target: "web",
        details: { platforms: "linux/amd64", since: "1970-01-01T00:00:05.000Z", images: "bld_2 bld_1" },
      },
    ]);

    const images = Array.from({ length: 99 }, (_, at) => `bld_new${at}`);
    await noteSpoiledCache(accounts, projectId, {
      ...found,
      platforms: ["linux/arm64"],
      since: 4_000,
      images,
    });
    expect(await read()).toEqual({
      platforms: ["linux/amd64", "linux/arm64"],
      since: 4_000,
      resetAt: time.now,
      images: [...images, "bld_2"],
      hasMoreImages: true,
    });

    time.now += 60_000;
    const dismissed = await updateProject(accounts, caller, { projectId, clearSpoiledCache: true });
    expect(dismissed).toMatchObject({ spoiledCache: null, revision: 4 });
    expect(await read()).toBeNull();
    expect((await events())[0]).toMatchObject({ action: "project.update", actor: "ada" });
    await noteSpoiledCache(accounts, projectId, found);
    expect(await read()).toMatchObject(found);

    expect(await noteSpoiledCache(accounts, "prj_0123456789", found)).toBeNull();
    expect(await events()).toHaveLength(4);
  });
});
