/**
 * Scarce places for work that is done elsewhere: database connections, system threads.
 *
 *   a place is free ─► the longest waiting work of the holder with the fewest places
 *
 * Alone, a holder may have all of them. While another organization is active, a holder with half gets no more, so that a place is
 * free for a light user. The server's own work goes first while it has less than half.
 */
import { ACTIVE_MS } from "./limits.ts";

export interface FairPlaces {
  /** @param holder undefined: the server's own work, for which no place is kept free. @returns nothing, or a promise for its place */
  enter: (holder: string | undefined, waiting?: WaitingLimits) => Promise<void> | undefined;
  leave: (holder: string | undefined) => void;
  readonly waiting: number;
  /** The number of holders in memory. */
  readonly holders: number;
}

export interface WaitingLimits {
  timeoutMs: number;
  /** Makes the error of a timeout. */
  makeError: () => Error;
}

interface Waiting {
  since: number;
  start: () => void;
}

interface Holder {
  running: number;
  waiting: Set<Waiting>;
}

class Places implements FairPlaces {
  readonly #most: number;
  readonly #half: number;
  readonly #clock: () => number;
  readonly #holders = new Map<string, Holder>();
  /** The two holders that asked most recently. */
  #last = { name: "", at: Number.NEGATIVE_INFINITY };
  #other = this.#last;
  #running = 0;
  #waiting = 0;
  #asked = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(most: number, clock: () => number) {
    this.#most = most;
    this.#half = Math.max(1, Math.floor(most / 2));
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get holders(): number {
    return this.#holders.size;
  }

  enter(name = "", limits?: WaitingLimits): Promise<void> | undefined {
    this.#noteAsked(name);
    const holder = this.#find(name);
    if (holder.waiting.size > 0 || !this.#mayBegin(name, holder)) return this.#wait(name, holder, limits);
    this.#begin(holder);
    return undefined;
  }

  leave(name = ""): void {
    const holder = this.#find(name);
    holder.running -= 1;
    this.#running -= 1;
    this.#startNext();
    this.#forget(name, holder);
  }

  #forget(name: string, { running, waiting }: Holder): void {
    if (running === 0 && waiting.size === 0) this.#holders.delete(name);
  }

  #find(name: string): Holder {
    const holder = this.#holders.get(name) ?? { running: 0, waiting: new Set() };
    this.#holders.set(name, holder);
    return holder;
  }

  #noteAsked(name: string): void {
    if (name === "") return;
    if (this.#last.name !== name) [this.#other, this.#last] = [this.#last, { name, at: 0 }];
    this.#last.at = this.#clock();
  }

  #mayBegin(name: string, holder: Holder): boolean {
    if (this.#running >= this.#most) return false;
    return name === "" || holder.running < this.#half || !this.#isShared(name);
  }

  /** Whether another holder has asked lately. */
  #isShared(name: string): boolean {
    const { at } = this.#last.name === name ? this.#other : this.#last;
    return this.#clock() - at < ACTIVE_MS;
  }

  #begin(holder: Holder): void {
    holder.running += 1;
    this.#running += 1;
  }

  #wait(name: string, holder: Holder, limits?: WaitingLimits): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#asked += 1;
    const waiting: Waiting = { since: this.#asked, start: resolve };
    holder.waiting.add(waiting);
    this.#waiting += 1;
    this.#startLater();
    if (!limits) return promise;
    const timer = setTimeout(() => {
      if (holder.waiting.delete(waiting)) this.#waiting -= 1;
      this.#forget(name, holder);
      reject(limits.makeError());
    }, limits.timeoutMs);
    return promise.finally(() => clearTimeout(timer));
  }

  #startNext(): void {
    for (let next = this.#choose(); next; next = this.#choose()) {
      const [first] = next.waiting;
      if (!first) return;
      next.waiting.delete(first);
      this.#waiting -= 1;
      this.#begin(next);
      first.start();
    }
    this.#startLater();
  }

  /** Work that waits although a place is free may have it once the others have been silent for a while. */
  #startLater(): void {
    if (this.#timer || this.#waiting === 0 || this.#running >= this.#most) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#startNext();
    }, ACTIVE_MS).unref();
  }

  #choose(): Holder | undefined {
    let [chosen, since] = [undefined as Holder | undefined, Number.POSITIVE_INFINITY];
    if (this.#waiting === 0) return undefined;
    for (const [name, holder] of this.#holders) {
      const [first] = holder.waiting;
      if (!first || !this.#mayBegin(name, holder)) continue;
      // All holders depend on this work.
      if (name === "" && holder.running < this.#half) return holder;
      const isSooner = chosen?.running === holder.running && first.since < since;
      if (!chosen || holder.running < chosen.running || isSooner) [chosen, since] = [holder, first.since];
    }
    return chosen;
  }
}

/** @param clock in milliseconds */
export const createFairPlaces = (most: number, clock: () => number = () => performance.now()): FairPlaces =>
  new Places(most, clock);
