/**
 * 1. The migrations make the tables that the types describe, in every kind of database.
 * 2. There is at most one first organization; deleting an organization deletes what belongs to it.
 */
import { describe, expect, test } from "vitest";
import { isDuplicate, openDatabase } from "#platform/database/database.ts";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import { accountMigrations } from "./migrations.ts";
import type { AccountTables } from "../records/schema.ts";

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 2. tables", async () => {
    const place = await openTestDatabase(kind);
    const { db, close } = await openDatabase<AccountTables>({ at: place.at, migrations: accountMigrations });
    const organization = (id: string, is_first: 1 | null) =>
      db.insertInto("organizations").values({ id, name: id, is_first, created_at: 1 }).execute();
    await organization("org_a", 1);
    await organization("org_b", null);
    await organization("org_c", null);
    await expect(organization("org_d", 1)).rejects.toSatisfy(isDuplicate);
    await db
      .insertInto("projects")
      .values({
        id: "prj_a",
        organization_id: "org_b",
        name: "web",
        builder_size: 4,
        cache_size_bytes: 50 * 1024 ** 3,
        retention_days: 14,
        created_at: 1,
        revision: 1,
      })
      .execute();
    await db
      .insertInto("trust_relationships")
      .values({ project_id: "prj_a", position: 0, issuer: "https://i.example", claims: "{}", cache: "read" })
      .execute();
    await db.deleteFrom("organizations").where("id", "=", "org_b").execute();
    expect(await db.selectFrom("trust_relationships").selectAll().execute()).toEqual([]);
    await close();
    await place.remove();
  });
});
