/**
 * Requests between servers about the layer caches on their disks, through the records:
 *
 *   asked here ──► a row for each other server ──► each answers in its row, looking twice a second ──► one answer
 *
 * The row of a reset stays until a server that is gone is back: its layers do not come back with it.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { LOOK_FOR_ANSWERS_MS, RESET_ASK_MS, USAGE_ASK_MS } from "../contract/limits.ts";
import { type BuildParts, serverOf } from "../contract/parts.ts";
import type { BuildTables } from "../tables/schema.ts";
import type { Servers } from "./servers.ts";

type Parts = BuildParts & { servers: Servers };
type Ask = Pick<BuildTables["build_cache_asks"], "kind" | "project_id" | "platform">;

const answerShape = z.union([
  z.object({
    caches: z.array(z.object({ platform: z.string(), bytes: z.number(), layers: z.number() })),
  }),
  z.object({ freedBytes: z.number() }),
  z.object({ error: z.string() }),
]);
export type Answer = z.infer<typeof answerShape>;

export interface CacheAsks {
  /** @returns null for each living server that has not answered in time */
  ask: (ask: Ask) => Promise<(Answer | null)[]>;
  /** Answers the requests of other servers. Resolves when all that it found are answered. */
  look: () => Promise<void>;
}

export function createCacheAsks(parts: Parts, answer: (ask: Ask) => Promise<Answer>): CacheAsks {
  const { database, server, log } = parts;
  const { db } = database;
  const answering = new Map<string, Promise<void>>();
  const find = () =>
    db
      .selectFrom("build_cache_asks")
      .select(["id", "kind", "project_id", "platform"])
      .where("server", "=", server)
      .where("answer", "=", "")
      .execute();
  let finding: ReturnType<typeof find> | null = null;
  const reply = async (id: string, ask: Ask) => {
    const said = await answer(ask);
    await db
      .updateTable("build_cache_asks")
      .set({ answer: JSON.stringify(said) })
      .where("id", "=", id)
      .execute();
  };
  return {
    ask: (ask) => askOthers(parts, ask),
    async look() {
      if (database.kind === "sqlite") return;
      // A slow database is not queried again meanwhile: each query would take a connection from everything else.
      finding ??= find().finally(() => (finding = null));
      const rows = await finding;
      for (const { id, ...ask } of rows) {
        if (answering.has(id)) continue;
        const replying = reply(id, ask)
          .catch((error: unknown) =>
            log.warn("Could not answer another server's request about layer caches. Retrying.", {
              error,
            }),
          )
          .finally(() => answering.delete(id));
        answering.set(id, replying);
      }
      await Promise.all(answering.values());
    },
  };
}

async function askOthers(parts: Parts, ask: Ask): Promise<(Answer | null)[]> {
  const { database, clock } = parts;
  if (database.kind === "sqlite") return [];
  const living = await findServers(parts);
  const gone = ask.kind === "reset" ? await findGone(parts, ask, living) : [];
  const makeRow = (server: string) => {
    const id = randomBytes(16).toString("hex");
    return { ...ask, id, server, asked_at: clock(), answer: "" };
  };
  const rows = living.map(makeRow);
  const all = [...rows, ...gone.map(makeRow)];
  if (all.length > 0) await database.db.insertInto("build_cache_asks").values(all).execute();
  return rows.length === 0
    ? []
    : readAnswers(
        parts,
        ask.kind,
        rows.map(({ id }) => id),
      );
}

/** The names of the other living servers. */
async function findServers({ servers, server }: Parts): Promise<string[]> {
  const living = await servers.list();
  return [...new Set(living.map((each) => each.server))].filter((name) => name !== server);
}

/** Servers that are gone and have caches of the project, because its builds ran there. Without those that have the request already. */
async function findGone({ database, server, builders }: Parts, ask: Ask, living: readonly string[]) {
  if (builders.isShared) return [];
  const { db } = database;
  const held = await db
    .selectFrom("builds")
    .select("holder")
    .distinct()
    .where("project_id", "=", ask.project_id)
    .where("holder", "is not", null)
    .execute();
  const waiting = await db
    .selectFrom("build_cache_asks")
    .select("server")
    .where("project_id", "=", ask.project_id)
    .where("platform", "=", ask.platform)
    .where("kind", "=", ask.kind)
    .where("answer", "=", "")
    .execute();
  const left = new Set([server, ...living, ...waiting.map((row) => row.server)]);
  const names = held.flatMap(({ holder }) => (holder === null ? [] : serverOf(holder)));
  return [...new Set(names)].filter((name) => !left.has(name));
}

async function readAnswers(
  { database: { db } }: Parts,
  kind: Ask["kind"],
  ids: readonly string[],
): Promise<(Answer | null)[]> {
  const until = performance.now() + (kind === "usage" ? USAGE_ASK_MS : RESET_ASK_MS);
  for (;;) {
    const rows = await db
      .selectFrom("build_cache_asks")
      .select(["id", "answer"])
      .where("id", "in", ids)
      .execute();
    const isOver = performance.now() > until;
    if (isOver || rows.every(({ answer }) => answer !== "")) {
      // A reset that is not done yet is done later.
      let taken = db.deleteFrom("build_cache_asks").where("id", "in", ids);
      if (kind === "reset") taken = taken.where("answer", "<>", "");
      await taken.execute();
      return rows.map(({ answer }) => (answer === "" ? null : answerShape.parse(JSON.parse(answer))));
    }
    await sleep(LOOK_FOR_ANSWERS_MS);
  }
}
