/**
 * Places for work that is done elsewhere, of which there are few: connections of a database, threads of the system.
 *
 *   a place is free ─► of whoever has fewest, what has waited longest
 *
 * Alone, one may have all of them. While another organization asks, too, it gets no further one as long as it has half, so
 * that there is one for whoever asks for little.
 */
import { ACTIVE_MS } from "./limits.ts";

export interface FairPlaces {
  /** @param holder undefined: the server's own work, for which no place is kept free. @returns nothing, or when it has one */
  enter: (holder: string | undefined, waiting?: WaitingLimits) => Promise<void> | undefined;
  leave: (holder: string | undefined) => void;
  readonly waiting: number;
}

export interface WaitingLimits {
  timeoutMs: number;
  /** What it rejects with then. */
  makeError: () => Error;
}

interface Holder {
  running: number;
  waiting: Set<{ since: number; start: () => void }>;
}

export function createFairPlaces(most: number, clock: () => number = () => performance.now()): FairPlaces {
  const half = Math.max(1, Math.floor(most / 2));
  const holders = new Map<string, Holder>();
  let [running, waiting, asked] = [0, 0, 0];
  /** Who has asked last, and who before that. */
  let [last, other] = [
    { name: "", at: Number.NEGATIVE_INFINITY },
    { name: "", at: Number.NEGATIVE_INFINITY },
  ];

  function find(name: string): Holder {
    const holder = holders.get(name) ?? { running: 0, waiting: new Set() };
    holders.set(name, holder);
    return holder;
  }

  function noteAsked(name: string): void {
    if (name === "") return;
    if (last.name !== name) [other, last] = [last, { name, at: 0 }];
    last.at = clock();
  }

  /** Whether another one has asked lately. */
  const isShared = (name: string) => clock() - (last.name === name ? other : last).at < ACTIVE_MS;

  const mayBegin = (name: string, holder: Holder) =>
    running < most && (name === "" || holder.running < half || !isShared(name));

  function begin(holder: Holder): void {
    holder.running += 1;
    running += 1;
  }

  function startNext(): void {
    for (let next = choose(); next; next = choose()) {
      const [first] = next.waiting;
      if (!first) return;
      next.waiting.delete(first);
      waiting -= 1;
      begin(next);
      first.start();
    }
  }

  function choose(): Holder | undefined {
    let [chosen, since] = [undefined as Holder | undefined, Number.POSITIVE_INFINITY];
    if (waiting === 0) return undefined;
    for (const [name, holder] of holders) {
      const [first] = holder.waiting;
      if (!first || !mayBegin(name, holder)) continue;
      const isFirst = holder.running === chosen?.running && first.since < since;
      if (chosen && holder.running >= chosen.running && !isFirst) continue;
      [chosen, since] = [holder, first.since];
    }
    return chosen;
  }

  return {
    enter(name = "", limits) {
      noteAsked(name);
      const holder = find(name);
      if (holder.waiting.size === 0 && mayBegin(name, holder)) {
        begin(holder);
        return undefined;
      }
      return new Promise((resolve, reject) => {
        const place = {
          since: (asked += 1),
          start() {
            clearTimeout(timer);
            resolve();
          },
        };
        const giveUp = ({ makeError }: WaitingLimits) => {
          if (holder.waiting.delete(place)) waiting -= 1;
          reject(makeError());
        };
        const timer = limits && setTimeout(giveUp, limits.timeoutMs, limits);
        holder.waiting.add(place);
        waiting += 1;
      });
    },
    leave(name = "") {
      const holder = find(name);
      holder.running -= 1;
      running -= 1;
      startNext();
      if (holder.running === 0 && holder.waiting.size === 0) holders.delete(name);
    },
    get waiting() {
      return waiting;
    },
  };
}
