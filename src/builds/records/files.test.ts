/**
 * 1. Files are stored and read unchanged; contents that a builder did not request again are those of the build before, if size and
 *    time are the same.
 * 2. Only the newest builds of a project have their files; those of other projects are not touched.
 * 3. The time of a cache's last reset is known, for one platform and for all.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { seenFile } from "../testing/explained-builds.ts";
import type { SeenFile } from "../explain/types.ts";
import { FILES_KEPT_BUILDS } from "../contract/limits.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { keepFiles, readFiles } from "./files.ts";
import { readCacheHistory } from "./resets.ts";

const warned = () => {
  throw new Error("nothing goes wrong here");
};
const foldersOf = (files: Record<string, Partial<SeenFile>>, name = "context") => ({
  [name]: {
    isWhole: true,
    files: new Map(Object.entries(files).map(([path, file]) => [path, seenFile(file)])),
  },
});

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open() {
    const place = await openTestBuilds(kind);
    const { builds, caller, database, time } = place;
    const parts = { database, log: { ...consoleLog, warn: warned } };
    const keep = async (projectId: string, folders: ReturnType<typeof foldersOf>) => {
      const more = { save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
      const { id } = await builds.create(caller, { projectId, ...more });
      time.now += 1000;
      await keepFiles(parts, { id, project_id: projectId }, folders);
      return id;
    };
    return { place, keep, read: (id: string) => readFiles(database, id) };
  }

  test("1. kept, with contents of before", async () => {
    const { place, keep, read } = await open();
    await using _ = place;
    const { id: project } = await place.addProject("web");
    const first = await keep(project, foldersOf({ a: { digest: "1" }, "ü b": { digest: "2", link: "x" } }));
    expect(await read(first)).toEqual(foldersOf({ a: { digest: "1" }, "ü b": { digest: "2", link: "x" } }));
    const second = await keep(project, foldersOf({ a: {}, "ü b": { modifiedAt: "9" }, c: {} }));
    const known = (await read(second))?.["context"]?.files;
    expect([...(known ?? [])].map(([path, { digest }]) => [path, digest])).toEqual([
      ["a", "1"],
      ["ü b", null],
      ["c", null],
    ]);
    // A property that every object has.
    const odd = await keep(project, foldersOf({ a: { digest: null } }, "constructor"));
    expect((await read(odd))?.["constructor"]?.files.get("a")?.digest).toBeNull();
    expect(await read("bld_0")).toBeNull();
  });

  test("2. the newest alone", async () => {
    const { place, keep, read } = await open();
    await using _ = place;
    const [one, other] = [await place.addProject("web"), await place.addProject("api")];
    const kept = await keep(other.id, foldersOf({ a: {} }));
    const ids: string[] = [];
    for (let at = 0; at < FILES_KEPT_BUILDS + 2; at += 1) ids.push(await keep(one.id, foldersOf({ a: {} })));
    const found = await Promise.all(ids.map(async (id) => (await read(id)) !== null));
    expect(found.map(String)).toEqual(ids.map((_id, at) => String(at >= 2)));
    expect(await read(kept)).not.toBeNull();
  });

  test("3. resets", async () => {
    const { place } = await open();
    await using _ = place;
    const { builds, caller, database, time } = place;
    const { id: projectId } = await place.addProject("web");
    const { id: foreign } = await place.addProject("api");
    await builds.resetCache(caller, { projectId, platform: "linux/amd64" });
    time.now += 1000;
    for (const platform of ["linux/amd64", ""]) await builds.resetCache(caller, { projectId, platform });
    const range = { since: 0, until: time.now };
    const { resets } = await readCacheHistory(database, projectId, range);
    const at = time.now;
    expect(resets.toSorted((a, b) => a.platform.localeCompare(b.platform))).toEqual([
      { platform: "", at },
      { platform: "linux/amd64", at },
    ]);
    expect((await readCacheHistory(database, foreign, range)).resets).toEqual([]);
  });
});
