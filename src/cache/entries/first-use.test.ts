/**
 * Concurrent first uses of a name:
 * 1. Namespaces and writers are created once, and no caller gets an error because they exist already.
 */
import { afterEach, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { createNamespaces } from "../records/namespaces.ts";
import { organizationActor } from "../testing/actors.ts";
import { openTestCache, type TestCache } from "../testing/cache.ts";
import { createWriters } from "./writers.ts";

const NAMES = 20;
/** Servers that have not queried any of the names. */
const SERVERS = 10;

let opened: TestCache | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. made once", async () => {
    opened = await openTestCache(kind, {});
    const { database } = opened;
    const servers = Array.from({ length: SERVERS }, () => ({
      namespaces: createNamespaces(database, Date.now),
      writers: createWriters(database, Date.now),
    }));
    const organizations = Array.from({ length: NAMES }, (_, number) => `org_${number}`);
    for (const organizationId of organizations)
      await Promise.all(
        servers.flatMap(({ namespaces, writers }) => [
          namespaces({ organizationId, tool: "gocache" }),
          writers({ ...organizationActor("acme"), organizationId }),
        ]),
      );
    const count = async (table: "cache_namespaces" | "cache_writers") =>
      (await database.db.selectFrom(table).select("id").execute()).length;
    expect([await count("cache_namespaces"), await count("cache_writers")]).toEqual([NAMES, NAMES]);
  });
});
