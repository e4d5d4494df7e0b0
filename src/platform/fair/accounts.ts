/** The accounts of those who share the event loop, and who of them was active lately. */
import { Lanes } from "./lanes.ts";
import {
  ACTIVE_MS,
  MAX_HOLDERS,
  MOST_OWED_MS,
  MOST_SHARE,
  NO_ORGANIZATION,
  SAVED_MS,
  SHARE_BESIDE_STRANGERS,
  WAITING_SHARE,
} from "./limits.ts";

export interface Account {
  holder: string;
  /** Milliseconds that it may use; below zero, what it owes. */
  left: number;
  filledAt: number;
  activeAt: number;
  /** The turn in which something of it was begun last. */
  turn: number;
  queue: Lanes;
}

/** After this long without a request an account is full again, whatever it owed. */
const FORGET_MS = (MOST_OWED_MS + SAVED_MS) / MOST_SHARE;

export class Accounts {
  readonly #all = new Map<string, Account>();
  readonly #organizations = new Latest();
  readonly #others = new Latest();

  find(holder: string, now: number): Account {
    let account = this.#all.get(holder);
    if (!account) {
      if (this.#all.size >= MAX_HOLDERS) this.#forget(now);
      account = { holder, left: SAVED_MS, filledAt: now, activeAt: now, turn: -1, queue: new Lanes() };
      this.#all.set(holder, account);
    }
    return account;
  }

  /** Its holder asks for something now. */
  noteActive(account: Account, now: number): void {
    account.activeAt = now;
    const kind = account.holder.startsWith(NO_ORGANIZATION) ? this.#others : this.#organizations;
    kind.note(account);
  }

  /** @param waiting how many have something that waits */
  fill(account: Account, now: number, waiting: number): void {
    const most = this.#organizations.isBeside(account, now) ? MOST_SHARE : SHARE_BESIDE_STRANGERS;
    const share = waiting > 1 ? Math.min(most, WAITING_SHARE / waiting) : most;
    const left = account.left + Math.max(0, now - account.filledAt) * share;
    // It was charged when fewer waited, perhaps.
    account.left = Math.min(SAVED_MS, Math.max(-mostOwed(waiting), left));
    account.filledAt = now;
  }

  /** Whether somebody else was active lately. */
  isShared(account: Account, now: number): boolean {
    return this.#organizations.isBeside(account, now) || this.#others.isBeside(account, now);
  }

  mayBegin(account: Account, now: number): boolean {
    return account.left > 0 || !this.isShared(account, now);
  }

  #forget(now: number): void {
    for (const [holder, { activeAt, queue }] of this.#all)
      if (queue.size === 0 && now - activeAt > FORGET_MS) this.#all.delete(holder);
  }
}

/** Who of some was active last, and who before that. */
class Latest {
  #last: Account | undefined;
  #other: Account | undefined;

  note(account: Account): void {
    if (this.#last !== account) [this.#other, this.#last] = [this.#last, account];
  }

  /** Whether another one was active lately. */
  isBeside(account: Account, now: number): boolean {
    return isActive(this.#last === account ? this.#other : this.#last, now);
  }
}

/** In milliseconds. @param waiting how many have something that waits */
export const mostOwed = (waiting: number): number => MOST_OWED_MS / Math.max(1, waiting);

const isActive = (rival: Account | undefined, now: number): boolean =>
  rival !== undefined && now - rival.activeAt < ACTIVE_MS;

/** Whoever has used least of their share. */
export function richest(accounts: Iterable<Account>): Account | undefined {
  let most: Account | undefined;
  for (const account of accounts) if (!most || account.left > most.left) most = account;
  return most;
}
