/**
 * The waiting work of one holder: parts of bodies alternate with requests, so that no transfer stalls for long and no request
 * waits for all transfers. Strangers have a lane per network; the next request comes from the network that has used the least, so
 * that a newcomer does not wait for a crowd. Among networks with equal use, one with many waiting requests counts as having
 * arrived later.
 */
import { LANE_HALF_MS, MAX_LANE_WAITING, MAX_LANES, MAX_LATER, MAX_WAITING, LATER_MS } from "./limits.ts";

export interface Waiting {
  cost: number;
  since: number;
  /** A stranger's network; otherwise empty. */
  lane: string;
  /** Part of a body, which cannot be refused. */
  isPart: boolean;
  /** Whether its client has left. */
  isGone: (() => boolean) | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface Lane {
  /** Milliseconds used lately; halved periodically. */
  used: number;
  waiting: Waiting[];
}

export class Lanes {
  #parts: Waiting[] = [];
  readonly #lanes = new Map<string, Lane>();
  #requests = 0;
  #wasPart = false;
  #fadedAt = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#parts.length + this.#requests;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Whether no more requests of this lane may wait. */
  isFull(lane: string): boolean {
    const most = lane === "" ? MAX_WAITING : MAX_LANE_WAITING;
    return (this.#lanes.get(lane)?.waiting.length ?? 0) >= most;
  }

  add(waiting: Waiting): void {
    if (waiting.isPart) return void this.#parts.push(waiting);
    this.#find(waiting.lane, waiting.since).waiting.push(waiting);
    this.#requests += 1;
  }

  /** @returns the next work, which no longer waits */
  shift(): Waiting | undefined {
    const isPart = this.#parts.length > 0 && !(this.#wasPart && this.#requests > 0);
    this.#wasPart = isPart;
    return isPart ? this.#parts.shift() : this.#shiftRequest();
  }

  #shiftRequest(): Waiting | undefined {
    let next: Lane | undefined;
    let [least, since] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const lane of this.#lanes.values()) {
      const [first] = lane.waiting;
      if (!first) continue;
      // Includes its own cost: a search need not wait for the first page of a hundred networks.
      const used = lane.used + first.cost;
      const later = first.since + Math.min(lane.waiting.length, MAX_LATER) * LATER_MS;
      if (used < least || (used === least && later < since)) [next, least, since] = [lane, used, later];
    }
    if (next) this.#requests -= 1;
    return next?.waiting.shift();
  }

  /** Adds to the use of a stranger's network. */
  note(lane: string, ms: number, now: number): void {
    if (lane !== "") this.#find(lane, now).used += ms;
  }

  /** @returns the newest request of the lane that occupies the most places, unless it is this lane */
  dropFor(lane: string): Waiting | undefined {
    const mine = this.#lanes.get(lane) ?? { used: 0, waiting: [] };
    let worst = mine;
    for (const other of this.#lanes.values()) if (takesMore(other, worst)) worst = other;
    return worst === mine ? undefined : this.#drop(worst);
  }

  /** @returns the newest request of the lane that occupies the most places */
  dropNewest(): Waiting | undefined {
    let worst: Lane | undefined;
    for (const lane of this.#lanes.values()) if (!worst || takesMore(lane, worst)) worst = lane;
    return worst && this.#drop(worst);
  }

  /** The arrival time of the oldest request. */
  get oldest(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { waiting } of this.#lanes.values())
      if (waiting[0]) oldest = Math.min(oldest, waiting[0].since);
    return oldest;
  }

  /** Only requests. */
  keep(isKept: (waiting: Waiting) => boolean): void {
    for (const lane of this.#lanes.values()) {
      const before = lane.waiting.length;
      lane.waiting = lane.waiting.filter(isKept);
      this.#requests -= before - lane.waiting.length;
    }
  }

  #drop(lane: Lane): Waiting | undefined {
    const newest = lane.waiting.pop();
    if (newest) this.#requests -= 1;
    return newest;
  }

  #find(name: string, now: number): Lane {
    if (now - this.#fadedAt >= LANE_HALF_MS) this.#fade(now);
    let lane = this.#lanes.get(name);
    if (!lane) {
      if (this.#lanes.size >= MAX_LANES) this.#forget();
      lane = { used: 0, waiting: [] };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #fade(now: number): void {
    const factor = 0.5 ** Math.floor((now - this.#fadedAt) / LANE_HALF_MS);
    this.#fadedAt = now;
    for (const [name, lane] of this.#lanes) {
      lane.used *= factor;
      if (lane.used < 0.1 && lane.waiting.length === 0) this.#lanes.delete(name);
    }
  }

  /** Removes idle lanes, oldest first, down to three quarters. */
  #forget(): void {
    for (const [name, { waiting }] of this.#lanes) {
      if (this.#lanes.size <= (MAX_LANES * 3) / 4) return;
      if (waiting.length === 0) this.#lanes.delete(name);
    }
  }
}

const takesMore = (one: Lane, other: Lane): boolean =>
  one.waiting.length > other.waiting.length ||
  (one.waiting.length === other.waiting.length && one.used > other.used);
