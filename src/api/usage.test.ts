/**
 * 1. Usage has the size of layer caches, of a project and of all, and that of the build cache, which belongs to the organization.
 *    Layer caches of projects that are not the organization's do not count.
 */
import { describe, expect, test } from "vitest";
import { identify } from "#accounts/index.ts";
import { arm, type Cache, disk, platform } from "#builds/testing/disk.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestApi, OWNER_TOKEN } from "./testing/api.ts";

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. sizes", async () => {
    const caches = new Map<string, Cache>([["prj_0000000000", { [platform]: 1000 }]]);
    await using api = await openTestApi(kind, { builders: disk({ caches }) });
    const idOf = async (name: string) =>
      (await api.call("ProjectService/Create", { name })).body.project.id as string;
    const [web, tools] = [await idOf("web"), await idOf("tools")];
    caches.set(web, { [platform]: 10, [arm]: 5 }).set(tools, { [platform]: 7 });
    const actor = await identify(api.accounts, { bearer: OWNER_TOKEN }, null);
    for (const [tool, text] of [
      ["turbo", "12345"],
      ["bazel", "123"],
    ] as const) {
      const grant = await api.cache.grant(actor, tool, "write");
      const upload = api.cache.receive(grant);
      await upload.write(Buffer.from(text));
      await api.cache.put(grant, "cas/a", await upload.finish());
    }
    const read = async (more: object = {}) =>
      (await api.call("UsageService/GetUsage", { from: "2026-11-01T00:00:00Z", ...more })).body;
    expect(await read()).toMatchObject({ layer_cache_bytes: "22", cache_bytes: "8" });
    expect(await read({ project_id: web })).toMatchObject({ layer_cache_bytes: "15", cache_bytes: "0" });
    expect(await api.cache.countBytes({ organizationId: "org_0000000000" })).toBe(0);
    await api.call("ProjectService/ResetCache", { project_id: web });
    expect(await read()).toMatchObject({ layer_cache_bytes: "7" });
  });
});
