/**
 * Starts builders for builds that have a place. A caller may have reached a different server from the one that holds the build, so
 * the two communicate through the records:
 *
 *   asked here ──► waits ◄── opened, or why not ── the holder: sees a place that was granted, opens its builder
 *
 * A build whose builder cannot be opened there is handed over to another server before it begins (`open-place.ts`).
 */
import { askDatabase, Refused } from "#accounts/index.ts";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import { outsideRequests } from "#platform/log/request-context.ts";
import { ASKED_AT_ONCE, LOOK_FOR_PLACES_MS, MAX_ASK_MS, MAX_ASKS_OF_PLACE } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { hasEnded } from "../records/follow-build.ts";
import { findRow } from "../records/read-build.ts";
import { endedAlready } from "./ended-already.ts";
import type { LiveCounts } from "./live-counts.ts";
import { openPlace, type OpenPlaceOptions, type Place } from "./open-place.ts";

export interface BuilderStartsOptions extends OpenPlaceOptions {
  counts: LiveCounts;
}

export interface BuilderStarts {
  /** Resolves when the build's builder is open, on any server. @throws Refused with why it is not */
  wait: (buildId: string, platform: string) => Promise<void>;
  /** Opens what this server has to open, and answers callers that wait. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
}

export function createBuilderStarts(options: BuilderStartsOptions): BuilderStarts {
  const { database, holder, places, counts, log } = options;
  const waiting = createWaiting();
  const starting = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const open = (place: Place): void => {
    const key = keyOf(place);
    if (starting.has(key)) return;
    // The end of a build may grant its place to a build of another organization.
    const opened = outsideRequests(() => openPlace(options, place, stopping.signal))
      .then((result) => {
        if (result !== "elsewhere") waiting.settle(place, result === "open" ? undefined : result);
      })
      .catch((error: unknown) => log.warn("Could not open a builder. Retrying.", { error, ...place }))
      .finally(() => starting.delete(key));
    starting.set(key, opened);
  };
  places.onGranted((place) => {
    counts.waited(place.waitedMs);
    if (place.holder === holder) open(place);
  });
  const look = (here = waiting.all()) => lookAt(options, { here, waiting, open });
  const job = startPeriodicJob({
    name: "builds.places",
    everyMs: LOOK_FOR_PLACES_MS,
    // With SQLite, this process sees all changes except ends, which matter only while a caller waits.
    run: () => (database.kind === "sqlite" && waiting.all().length === 0 ? undefined : look()),
    onError: (error) => log.warn("Could not read the build queue. Retrying.", { error }),
  });
  return {
    async wait(buildId, platform) {
      const answer = waiting.add({ buildId, platform });
      // It may be open already. The other places are checked together, periodically.
      await Promise.all([answer, look([{ buildId, platform }])]);
    },
    look: () => look(),
    async stop() {
      await job.stop();
      stopping.abort(new Refused("unavailable", STOPS));
      for (const one of waiting.all()) waiting.settle(one, new Refused("unavailable", STOPS));
      await Promise.all(starting.values());
    },
  };
}

const WAITS = "all places on the builder or its machine are taken; ask again to keep your place in the queue";
const STOPS = "the server is stopping; ask again, and another server responds";

const keyOf = ({ buildId, platform }: Place) => `${buildId} ${platform}`;

interface Waiting {
  all: () => readonly Place[];
  add: (place: Place) => Promise<void>;
  /** @param error absent: the builder is open */
  settle: (place: Place, error?: Refused) => void;
}

function createWaiting(): Waiting {
  /** By place: its callers, the oldest first. */
  const all = new Map<string, { place: Place; asks: Set<PromiseWithResolvers<void>> }>();
  return {
    all: () => [...all.values()].map(({ place }) => place),
    async add(place) {
      const one = Promise.withResolvers<void>();
      const { asks } = all.get(keyOf(place)) ?? { asks: new Set() };
      all.set(keyOf(place), { place, asks: asks.add(one) });
      const [first] = asks;
      // Its client has asked again since then.
      if (asks.size > MAX_ASKS_OF_PLACE) first?.reject(new Refused("unavailable", WAITS));
      const timer = setTimeout(() => one.reject(new Refused("unavailable", WAITS)), MAX_ASK_MS).unref();
      await one.promise.finally(() => {
        clearTimeout(timer);
        asks.delete(one);
        if (asks.size === 0) all.delete(keyOf(place));
      });
    },
    settle(place, error) {
      for (const one of all.get(keyOf(place))?.asks ?? [])
        if (error) one.reject(error);
        else one.resolve();
    },
  };
}

interface Looking {
  /** Places that callers wait for. */
  here: readonly Place[];
  waiting: Waiting;
  open: (place: Place) => void;
}

async function lookAt(options: BuilderStartsOptions, { here, waiting, open }: Looking): Promise<void> {
  const rows: OpenRow[] = [];
  // A database accepts this many ids in one query.
  for (let from = 0; from === 0 || from < here.length; from += ASKED_AT_ONCE) {
    const ids = here.slice(from, from + ASKED_AT_ONCE).map(({ buildId }) => buildId);
    rows.push(...(await readOpen(options, ids)));
  }
  for (const row of rows)
    if (row.holder === options.holder && row.isGranted && !row.isOpened && row.error === "") open(row);
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  for (const one of here) {
    const row = found.get(keyOf(one));
    if (row?.isOpened) waiting.settle(one);
    else if (row && row.error !== "") waiting.settle(one, new Refused("unavailable", row.error));
    else if (!row) waiting.settle(one, await whyGone(options, one));
  }
}

type OpenRow = Awaited<ReturnType<typeof readOpen>>[number];

async function readOpen({ database: { db }, holder }: BuildParts, waited: readonly string[]) {
  const rows = await db
    .selectFrom("build_places")
    .innerJoin("builds", "builds.id", "build_places.build_id")
    .select([
      "build_id as buildId",
      "build_places.platform",
      "granted_at",
      "opened_at",
      "build_places.error",
      "builds.holder",
    ])
    .where((row) => {
      const own = row.and([
        row("builds.holder", "=", holder),
        row("granted_at", "is not", null),
        row("opened_at", "is", null),
      ]);
      return waited.length === 0 ? own : row.or([own, row("build_id", "in", waited)]);
    })
    .execute();
  return rows.map(({ granted_at: granted, opened_at: opened, ...row }) => ({
    ...row,
    isGranted: granted !== null,
    isOpened: granted !== null && opened !== null,
  }));
}

/** When a build ends, its place is given back. */
async function whyGone({ database }: BuildParts, { buildId }: Place): Promise<Refused> {
  const row = await askDatabase(() => findRow(database, buildId));
  if (row && !hasEnded(row.state)) return new Refused("unavailable", WAITS);
  return endedAlready(row ?? { id: buildId, state: "canceled" });
}
