/** The waiting work of all holders: bounded in number, and requests in time. */
import type { Account } from "./accounts.ts";
import type { Waiting } from "./lanes.ts";
import { MAX_ALL_WAITING, MAX_WAIT_MS, MAX_WAITING } from "./limits.ts";

/** Too much work of the same holder waits, it has waited too long, or its client has left. */
export class TooMuchWaitsError extends Error {}

export class Queues {
  /** Holders with waiting work. */
  readonly holders = new Set<Account>();
  /** The number of refused requests. */
  refused = 0;
  #size = 0;

  /** Requests and parts of bodies. */
  get size(): number {
    return this.#size;
  }

  /** @returns whether it waits; a request without room is refused */
  add(account: Account, waiting: Waiting): boolean {
    if (!waiting.isPart && !this.#makeRoom(account, waiting.lane)) {
      this.#refuse(waiting);
      return false;
    }
    account.queue.add(waiting);
    this.holders.add(account);
    this.#size += 1;
    return true;
  }

  /** @returns the next work of a holder that has some waiting */
  shift(account: Account): Waiting {
    const first = account.queue.shift()!;
    this.#noteLess(account, 1);
    return first;
  }

  refuseLate(now: number): void {
    for (const account of this.holders)
      if (now - account.queue.oldest > MAX_WAIT_MS)
        this.#keep(account, (waiting) => {
          if (now - waiting.since <= MAX_WAIT_MS) return true;
          this.#refuse(waiting);
          return false;
        });
  }

  /** @returns whether one more request of the lane may wait; another request may have been refused to make room */
  #makeRoom(account: Account, lane: string): boolean {
    const { queue } = account;
    const isCrowded = () =>
      queue.isFull(lane) || queue.requests >= MAX_WAITING || this.#size >= MAX_ALL_WAITING;
    if (!isCrowded()) return true;
    this.#dropGone(account);
    if (queue.isFull(lane)) return false;
    if (!isCrowded()) return true;
    const holders = this.holders.size + (this.holders.has(account) ? 0 : 1);
    const equalPart = MAX_ALL_WAITING / holders;
    if (queue.requests >= MAX_WAITING || queue.size >= equalPart)
      return this.#drop(account, queue.dropFor(lane));
    let most = account;
    for (const other of this.holders)
      if (other.queue.requests > 0 && other.queue.size > most.queue.size) most = other;
    // Parts of bodies are never refused: if only they exceed an equal part, one more waits, and holders with less keep their
    // places.
    if (most.queue.size >= equalPart) this.#drop(most, most.queue.dropNewest());
    return true;
  }

  #drop(account: Account, dropped: Waiting | undefined): boolean {
    if (!dropped) return false;
    this.#noteLess(account, 1);
    this.#refuse(dropped);
    return true;
  }

  #dropGone(account: Account): void {
    this.#keep(account, ({ isGone, reject }) => {
      if (!isGone?.()) return true;
      reject(new TooMuchWaitsError("the client has left"));
      return false;
    });
  }

  #keep(account: Account, isKept: (waiting: Waiting) => boolean): void {
    const before = account.queue.size;
    account.queue.keep(isKept);
    this.#noteLess(account, before - account.queue.size);
  }

  #noteLess(account: Account, count: number): void {
    this.#size -= count;
    if (account.queue.size === 0) this.holders.delete(account);
  }

  #refuse({ reject }: Waiting): void {
    this.refused += 1;
    reject(new TooMuchWaitsError("too many requests are already waiting, or one waited too long"));
  }
}
