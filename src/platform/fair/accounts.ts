/** The accounts of those who share the event loop, and who of them was active lately. */
import {
  ACTIVE_MS,
  MAX_HOLDERS,
  MOST_OWED_MS,
  MOST_SHARE,
  SAVED_MS,
  SHARE_BESIDE_STRANGERS,
  STRANGERS,
  WAITING_SHARE,
} from "./limits.ts";

export interface Waiting {
  cost: number;
  since: number;
  /** Of a body: it cannot be refused. */
  isPart: boolean;
  /** Whether its client has left. */
  isGone: (() => boolean) | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface Account {
  holder: string;
  /** Milliseconds that it may use; below zero, what it owes. */
  left: number;
  filledAt: number;
  activeAt: number;
  /** The turn in which something of it was begun last. */
  turn: number;
  queue: Waiting[];
}

/** After this long without a request an account is full again, whatever it owed. */
const FORGET_MS = (MOST_OWED_MS + SAVED_MS) / MOST_SHARE;

export class Accounts {
  readonly #all = new Map<string, Account>();
  /** Of those who are known: who was active last, and who before that. */
  #last: Account | undefined;
  #other: Account | undefined;
  #strangers: Account | undefined;

  /** Of a holder that asks for something now. */
  find(holder: string, now: number): Account {
    let account = this.#all.get(holder);
    if (!account) {
      if (this.#all.size >= MAX_HOLDERS) this.#forget(now);
      account = { holder, left: SAVED_MS, filledAt: now, activeAt: now, turn: -1, queue: [] };
      this.#all.set(holder, account);
    }
    account.activeAt = now;
    if (holder === STRANGERS) this.#strangers = account;
    else if (this.#last !== account) [this.#other, this.#last] = [this.#last, account];
    return account;
  }

  /** @param waiting how many have something that waits */
  fill(account: Account, now: number, waiting: number): void {
    const most = this.#isBesideKnown(account, now) ? MOST_SHARE : SHARE_BESIDE_STRANGERS;
    const share = waiting > 1 ? Math.min(most, WAITING_SHARE / waiting) : most;
    account.left = Math.min(SAVED_MS, account.left + Math.max(0, now - account.filledAt) * share);
    account.filledAt = now;
  }

  /** Whether somebody else was active lately. */
  isShared(account: Account, now: number): boolean {
    if (this.#isBesideKnown(account, now)) return true;
    return account !== this.#strangers && isActive(this.#strangers, now);
  }

  mayBegin(account: Account, now: number): boolean {
    return account.left > 0 || !this.isShared(account, now);
  }

  #isBesideKnown(account: Account, now: number): boolean {
    return isActive(this.#last === account ? this.#other : this.#last, now);
  }

  #forget(now: number): void {
    for (const [holder, { activeAt, queue }] of this.#all)
      if (queue.length === 0 && now - activeAt > FORGET_MS) this.#all.delete(holder);
  }
}

const isActive = (rival: Account | undefined, now: number): boolean =>
  rival !== undefined && now - rival.activeAt < ACTIVE_MS;

/** Whoever has used least of their share. */
export function richest(accounts: Iterable<Account>): Account | undefined {
  let most: Account | undefined;
  for (const account of accounts) if (!most || account.left > most.left) most = account;
  return most;
}
