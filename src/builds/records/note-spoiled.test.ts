/**
 * 1. For a spoiled layer cache, the images that were built with it since then are named: by their names, or by their builds. Not
 *    earlier ones, nor those of another platform, project or server, or of builds that failed or made none.
 * 2. The note is in the log, at the project, even after a crash only once, and in the history of missing layers. Caches of several
 *    platforms are one note.
 * 3. For a deleted project, only the log has the note.
 */
import { describe, expect, test } from "vitest";
import { getProject } from "#accounts/index.ts";
import type { Log } from "#platform/log/log.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { noteSpoiled } from "./note-spoiled.ts";
import { readCacheHistory } from "./resets.ts";

const server = "0123456789abcdef";
const holder = `${server}.fedcba9876543210`;
const [amd, arm] = ["linux/amd64", "linux/arm64"];
const digest = `sha256:${"a".repeat(64)}`;
const SPOILED_AT = Date.parse("2026-11-22T10:00:00Z");
const input = { save: true, saveTags: [], labels: {}, branch: "", commitSha: "" };

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3. which images, once", async () => {
    await using place = await openTestBuilds(kind);
    const { accounts, builds, caller, database, time } = place;
    const [web, api] = [await place.addProject("web"), await place.addProject("api")];
    const add = async (set: object, projectId = web.id) => {
      time.now += 1_000;
      const { id } = await builds.create(caller, { ...input, projectId });
      const ended = {
        state: "succeeded",
        digest,
        platforms: ` ${amd} `,
        holder,
        finished_at: SPOILED_AT + 1,
      };
      await database.db
        .updateTable("builds")
        .set({ ...ended, ...set } as never)
        .where("id", "=", id)
        .execute();
      return id;
    };
    const plain = await add({});
    await add({ image: "localhost:3000/acme/web:1", platforms: ` ${amd} ${arm} ` });
    await add({ finished_at: SPOILED_AT - 1 });
    await add({ platforms: ` ${arm} ` });
    await add({ holder: "fedcba9876543210.0123456789abcdef" });
    await add({ state: "failed" });
    await add({ digest: "" });
    const running = await add({ state: "running", digest: "", finished_at: null });
    const other = await add({}, api.id);

    const logged: [string, object | undefined][] = [];
    const warn = (message: string, fields?: object) => void logged.push([message, fields]);
    const log: Log = { debug() {}, info() {}, warn, error() {}, writes: () => true, flush() {} };
    const note = (projectId: string, platforms: readonly string[] = [amd!]) =>
      noteSpoiled(
        { accounts, database, log, server },
        platforms.map((platform) => ({ projectId, platform, since: SPOILED_AT })),
      );
    const read = async (projectId: string) =>
      (await getProject(accounts, caller, { projectId })).spoiledCache;

    const images = [running, "localhost:3000/acme/web:1", plain];
    for (const _ of [1, 2]) await note(web.id);
    expect(await read(web.id)).toMatchObject({
      platforms: [amd],
      since: SPOILED_AT,
      images,
      hasMoreImages: false,
    });
    expect(logged[0]).toEqual([
      expect.stringMatching(
        /^The layer cache of web was reset, .+ since 2026-11-22T10:00:00.000Z .+ cannot be trusted/,
      ),
      expect.objectContaining({ project: "web", images }),
    ]);
    const history = await readCacheHistory(database, web.id, { since: 0, until: time.now });
    expect(history.resets).toMatchObject([{ platform: amd }]);

    await note(api.id, [arm!, amd!]);
    expect(await read(api.id)).toMatchObject({ platforms: [amd, arm], images: [other] });

    await note("prj_0123456789");
    expect(logged.at(-1)?.[0]).toContain("deleted project");
    expect(await read(web.id)).toMatchObject({ images });
  });
});
