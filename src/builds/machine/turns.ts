/**
 * Decides which builders may be at work on a machine that has a limited number of places. A builder at work takes further builds;
 * another builder waits when all places are taken, or when its organization has half of them. A free place goes to the organization
 * that has the fewest, and there to the builder that has waited the longest. While a builder waits, the builder that has been at
 * work the longest takes no further builds, nor do those that share builds with it: a builder whose builds never end all at the
 * same time would keep its place forever.
 *
 * A build that has a place gets the places of its other platforms immediately, beyond the limits: otherwise, builds that hold one
 * place each could wait for each other.
 */
export interface TurnsOptions {
  /** Builders at work. */
  most: number;
  /** Builders of one organization at work. */
  mostOfOne: number;
}

export interface Turns {
  /**
   * Resolves when the builder may be at work, with a function that gives its place back.
   * @param key of the builder
   * @throws Error when it may not wait, or the signal's reason when that is aborted
   */
  take: (key: string, organizationId: string, options?: TurnOptions) => Promise<() => void>;
}

export interface TurnOptions {
  /** The build that gets the place; absent: it has no other places. */
  buildId?: string | undefined;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
  /** False: only takes a free place. */
  mayWait?: boolean | undefined;
  /** Called when the turn has come, and the builder starts or already runs. */
  onTurn?: (() => void) | undefined;
}

interface Waiting {
  key: string;
  buildId: string | undefined;
  organizationId: string;
  begin: () => void;
  giveUp: (error: Error) => void;
}

export function createTurns({ most, mostOfOne }: TurnsOptions): Turns {
  const busy = createBusy();
  const waiting: Waiting[] = [];
  const { findNext, mayJoin } = createChoice({ most, mostOfOne }, busy, waiting);
  const begin = (one: Waiting) => {
    busy.add(one);
    one.begin();
  };
  const fill = () => {
    for (let next = findNext(); next; next = findNext()) {
      const { key, buildId } = next;
      // A build that continues does not bring other builds to a builder that takes none.
      const isAlone = busy.hasBuild(buildId) && !mayJoin(key);
      const ofBuilder = waiting.filter((each) => (isAlone ? each === next : each.key === key));
      for (const each of ofBuilder) waiting.splice(waiting.indexOf(each), 1);
      for (const each of ofBuilder) begin(each);
    }
  };
  const leave = (one: Waiting) => {
    busy.remove(one);
    fill();
  };
  const giveUp = (one: Waiting, error: Error) => {
    const at = waiting.indexOf(one);
    if (at === -1) return;
    waiting.splice(at, 1);
    one.giveUp(error);
    // Others may have waited because of it.
    fill();
  };
  return {
    async take(key, organizationId, { buildId, signal, mayWait = true, onTurn } = {}) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const one = { key, buildId, organizationId, begin: resolve, giveUp: reject };
      const onAbort = () => giveUp(one, reasonOf(signal));
      waiting.push(one);
      fill();
      if (!mayWait)
        giveUp(one, new Error(tell(busy.countOf(organizationId) >= mostOfOne, { most, mostOfOne })));
      signal?.addEventListener("abort", onAbort, { once: true });
      await promise.finally(() => signal?.removeEventListener("abort", onAbort));
      onTurn?.();
      return once(() => leave(one));
    },
  };
}

/** Chooses which of the waiting builds may begin. */
function createChoice(
  { most, mostOfOne }: TurnsOptions,
  busy: ReturnType<typeof createBusy>,
  waiting: readonly Waiting[],
) {
  const waitingForPlace = () => waiting.filter(({ key }) => !busy.has(key));
  const mayJoin = (key: string) => busy.has(key) && !busy.isClosed(key);
  const closeLongest = () => {
    const [first] = waitingForPlace();
    if (!first) return busy.openAll();
    const { organizationId } = first;
    busy.closeLongest(busy.countOf(organizationId) >= mostOfOne ? organizationId : undefined);
  };
  const findNext = () => {
    closeLongest();
    const further = waiting.find(({ buildId }) => busy.hasBuild(buildId));
    if (further) return further;
    const joining = waiting.find(({ key }) => mayJoin(key));
    if (joining) return joining;
    if (busy.count() >= most) return undefined;
    const counted = waitingForPlace().map((one) => ({ one, count: busy.countOf(one.organizationId) }));
    const [first] = counted
      .filter(({ count }) => count < mostOfOne)
      .toSorted((one, other) => one.count - other.count);
    return first?.one;
  };
  return { findNext, mayJoin };
}

interface Busy {
  organizationId: string;
  /** A build may have the builder twice. */
  builds: readonly (string | undefined)[];
  /** Builders that have shared a build with this one. */
  beside: Set<string>;
}

/** Builders at work. */
function createBusy() {
  /** By the key of the builder. */
  const busy = new Map<string, Busy>();
  /** Take no builds until they end or none waits for a place: closing one after another could bring back one that just ended. */
  const closed = new Set<string>();
  return {
    has: (key: string) => busy.has(key),
    hasBuild: (buildId: string | undefined) =>
      buildId !== undefined && [...busy.values()].some(({ builds }) => builds.includes(buildId)),
    isClosed: (key: string) => closed.has(key),
    /** Closes the builder longest at work, and those that shared builds with it. @param organizationId absent: any */
    closeLongest(organizationId?: string): void {
      const longest = [...busy].find(
        ([, each]) => organizationId === undefined || each.organizationId === organizationId,
      );
      if (longest) for (const key of [longest[0], ...longest[1].beside]) closed.add(key);
    },
    openAll: () => closed.clear(),
    count: () => busy.size,
    countOf: (organizationId: string) =>
      [...busy.values()].filter((each) => each.organizationId === organizationId).length,
    add({ key, buildId, organizationId }: Waiting): void {
      const { builds, beside } = busy.get(key) ?? { builds: [], beside: new Set() };
      if (buildId !== undefined)
        for (const [other, each] of busy)
          if (other !== key && each.builds.includes(buildId)) {
            each.beside.add(key);
            beside.add(other);
          }
      busy.set(key, { organizationId, builds: [...builds, buildId], beside });
    },
    remove({ key, buildId }: Waiting): void {
      const each = busy.get(key)!;
      const { builds } = each;
      if (builds.length > 1) each.builds = builds.toSpliced(builds.indexOf(buildId), 1);
      else {
        busy.delete(key);
        closed.delete(key);
      }
    },
  };
}

const tell = (isOwn: boolean, { most, mostOfOne }: TurnsOptions) =>
  isOwn
    ? `${mostOfOne} builders of this organization run on this server, which is the limit for one organization. Wait for a build to end.`
    : `${most} builders run on this server, which is the limit. Wait for a build to end.`;

const reasonOf = (signal?: AbortSignal): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error("The build has ended.");

/** Several events at the end of a build trigger this; it runs once. */
export function once(run: () => void): () => void {
  let hasRun = false;
  return () => {
    if (hasRun) return;
    hasRun = true;
    run();
  };
}
