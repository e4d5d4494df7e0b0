/** Accounts of the holders that share the event loop, and which of them were active lately. */
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
  /** Milliseconds that the holder may use; negative: what it owes. */
  left: number;
  filledAt: number;
  activeAt: number;
  /** The last turn in which work of this holder began. */
  turn: number;
  queue: Lanes;
}

/** After this long without a request an account is full again, whatever its debt. */
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

  /** The holder has just made a request. */
  noteActive(account: Account, now: number): void {
    account.activeAt = now;
    const kind = account.holder.startsWith(NO_ORGANIZATION) ? this.#others : this.#organizations;
    kind.note(account);
  }

  /** @param waiting the number of holders with waiting work */
  fill(account: Account, now: number, waiting: number): void {
    const most = this.#organizations.isBeside(account, now) ? MOST_SHARE : SHARE_BESIDE_STRANGERS;
    const share = waiting > 1 ? Math.min(most, WAITING_SHARE / waiting) : most;
    const left = account.left + Math.max(0, now - account.filledAt) * share;
    // It may have been charged when fewer were waiting.
    account.left = Math.min(SAVED_MS, Math.max(-mostOwed(waiting), left));
    account.filledAt = now;
  }

  /** Whether another holder was active lately. */
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

/** The two most recently active accounts. */
class Latest {
  #last: Account | undefined;
  #other: Account | undefined;

  note(account: Account): void {
    if (this.#last !== account) [this.#other, this.#last] = [this.#last, account];
  }

  /** Whether another account was active lately. */
  isBeside(account: Account, now: number): boolean {
    return isActive(this.#last === account ? this.#other : this.#last, now);
  }
}

/** In milliseconds. @param waiting the number of holders with waiting work */
export const mostOwed = (waiting: number): number => MOST_OWED_MS / Math.max(1, waiting);

const isActive = (rival: Account | undefined, now: number): boolean =>
  rival !== undefined && now - rival.activeAt < ACTIVE_MS;

/** The account that has used the least of its share. */
export function richest(accounts: Iterable<Account>): Account | undefined {
  let most: Account | undefined;
  for (const account of accounts) if (!most || account.left > most.left) most = account;
  return most;
}
