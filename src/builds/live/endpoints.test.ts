/**
 * 1. A build that ends while a client asks for its builder stays as it ended: no server takes it, it takes no place, and the client
 *    gets an error.
 */
import { expect, test } from "vitest";
import { type KyselyPlugin, SelectQueryNode, TableNode } from "kysely";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestBuilds } from "../testing/builds.ts";
import type { BuildDatabase } from "../tables/schema.ts";

const input = { save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };

/** Runs something between the lookup of the server of a build's project and its result. */
function interrupt(database: BuildDatabase, run: () => Promise<void>): BuildDatabase {
  const looks = new WeakSet<object>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const [from] = SelectQueryNode.is(node) ? (node.from?.froms ?? []) : [];
      if (from && TableNode.is(from) && from.table.identifier.name === "build_homes") looks.add(queryId);
      return node;
    },
    async transformResult({ queryId, result }) {
      if (looks.has(queryId)) await run();
      return result;
    },
  };
  return { ...database, db: database.db.withPlugin(plugin) };
}

test.each(testDatabaseKinds)("1. ended meanwhile: %s", async (kind) => {
  await using place = await openTestBuilds(kind);
  const { builds, caller, database } = place;
  const { id: projectId } = await place.addProject("web");
  const { id: buildId } = await builds.create(caller, { ...input, projectId });
  const read = () => database.db.selectFrom("builds").selectAll().executeTakeFirstOrThrow();
  const ended: Awaited<ReturnType<typeof read>>[] = [];
  // On its own connection, which waits meanwhile.
  const other = await place.openReplica();
  const asked = await place.openReplica({
    server: "two",
    database: interrupt(other.database, async () => {
      await builds.cancel(caller, buildId);
      ended.push(await read());
    }),
  });
  try {
    const answer = asked.builds.getEndpoint(caller, { buildId, platform: "linux/amd64" });
    await expect(answer).rejects.toMatchObject({ code: "failed_precondition" });
    expect(ended).toMatchObject([{ state: "canceled", holder: null }]);
    expect(await read()).toEqual(ended[0]);
    expect(await database.db.selectFrom("build_places").selectAll().execute()).toEqual([]);
  } finally {
    await asked.close();
    await other.close();
  }
});
