import type { Actor } from "#accounts/index.ts";
import { namespaceIdOf } from "../records/namespaces.ts";
import { requireRight } from "../access/require-right.ts";
import type { CacheDatabase } from "../records/schema.ts";
import type { Tool } from "../contract/tools.ts";
import type { Simulation } from "../contract/simulation.ts";
import { type LoggedPart, simulateHitRates } from "./hit-rates.ts";
import { ANSWER_AGE_MS, MAX_ANSWERS, ROWS_AT_ONCE, SAMPLED_OF, SIMULATED_BYTES } from "./limits.ts";

interface SimulatingOptions {
  database: Pick<CacheDatabase, "db">;
  clock: () => number;
  quotaBytes: number;
  /** Writes everything that waits. */
  flush: () => Promise<void>;
}

/** One simulation at a time; the same question within a few minutes gets the same answer. */
export function createSimulating(
  options: SimulatingOptions,
): (actor: Actor, tool: Tool) => Promise<Simulation> {
  const { clock, quotaBytes } = options;
  const answers = new Map<string, { at: number; answer: Promise<Simulation> }>();
  let last: Promise<unknown> = Promise.resolve();

  async function run(namespaceId: string): Promise<Simulation> {
    await options.flush();
    const log = { since: null as number | null };
    const capacities = [...new Set([...SIMULATED_BYTES, quotaBytes])].toSorted((one, other) => one - other);
    const rates = await simulateHitRates(readLog(options.database, namespaceId, log), capacities);
    return { ...rates, sampledOf: SAMPLED_OF, since: log.since, quotaBytes };
  }

  return async (actor, tool) => {
    const organizationId = requireRight(actor, "cache.usage", tool);
    const namespaceId = namespaceIdOf({ organizationId, tool, overlay: "" });
    const known = answers.get(namespaceId);
    if (known && Math.abs(clock() - known.at) < ANSWER_AGE_MS) return known.answer;
    const answer = last.then(() => run(namespaceId));
    last = answer.catch(() => {});
    if (answers.size >= MAX_ANSWERS) answers.clear();
    answers.set(namespaceId, { at: clock(), answer });
    answer.catch(() => answers.delete(namespaceId));
    return answer;
  };
}

/** In the order of time, exact to a minute where several servers write. */
async function* readLog(
  { db }: Pick<CacheDatabase, "db">,
  namespaceId: string,
  log: { since: number | null },
): AsyncIterable<LoggedPart> {
  let after = { at: -1, part: "" };
  for (;;) {
    const rows = await db
      .selectFrom("cache_accesses")
      .select(["at", "part", "requests", "data"])
      .where("namespace_id", "=", namespaceId)
      .where(({ or, and, eb }) =>
        or([eb("at", ">", after.at), and([eb("at", "=", after.at), eb("part", ">", after.part)])]),
      )
      .orderBy("at")
      .orderBy("part")
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { at, part, requests, data } of rows) {
      log.since ??= at;
      after = { at, part };
      yield { requests, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) };
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
