/**
 * Who may use the event loop next, when several organizations want to.
 *
 *     request ─► whose? ─► alone, or within its share ─────────────────────► work
 *                     └──► its own queue ─► a turn: first whoever has used least ─┘
 *                                   └─► too long, or too many ─► refused
 *
 * A holder is an organization, a person without one, or all strangers together. Each has an account of milliseconds, which
 * fills by its share of the time and is charged for what it asks for. While others are active, it works as long as there is
 * something in it: one that asks for everything at once has its share, however much of it waits, and what the others ask for
 * finds the event loop idle half of the time. This half is not given to whoever wants more: a loop that is always busy lets
 * everybody wait at each step of each request.
 *
 * Nobody can tell which request the loop works for, so costs are taken from a table and multiplied by the ratio of what the
 * loop was busy to what was charged: all charges together are the time that was used.
 */
import { performance } from "node:perf_hooks";
import {
  ACTIVE_MS,
  COSTS,
  MAX_HOLDERS,
  MAX_WAIT_MS,
  MAX_WAITING,
  MOST_OWED_MS,
  MOST_SHARE,
  SAVED_MS,
  SHARE_BESIDE_STRANGERS,
  STRANGERS,
  TURN_MS,
  WAITING_SHARE,
  WINDOW_MS,
} from "./limits.ts";

/** Too much of the same holder waits, or it has waited too long, or its client has left. */
export class TooMuchWaitsError extends Error {}

export interface Entering {
  /** What it is taken to cost (`COSTS`). Default: a request's. */
  cost?: number;
  /** Whether its client has left; asked when its turn has come. */
  isGone?: (() => boolean) | undefined;
}

export interface WorkGate {
  /** @returns nothing when it may begin at once; otherwise when it may. Rejects with TooMuchWaitsError */
  enter: (holder: string, entering?: Entering) => Promise<void> | undefined;
  /** For bytes that came or go. @returns nothing, or when more may. It never rejects */
  pace: (holder: string, bytes: number) => Promise<void> | undefined;
  /** For what has turned out to cost more. */
  charge: (holder: string, cost: number) => void;
  readonly waiting: number;
  readonly totals: Readonly<GateTotals>;
}

/** Since the start. */
export interface GateTotals {
  /** Requests and parts of bodies that had to wait, how long in milliseconds, and requests that were refused. */
  waits: number;
  waitedMs: number;
  refused: number;
  /** What was charged to holders that shared the loop, in milliseconds. */
  sharedMs: number;
}

export interface WorkGateOptions {
  /** In milliseconds. */
  clock?: () => number;
  /** How long the event loop has been busy, in milliseconds. */
  busyMs?: () => number;
  /** Runs it in a later turn of the event loop, after so many milliseconds. */
  later?: (run: () => void, ms: number) => void;
}

interface Waiting {
  cost: number;
  since: number;
  /** Of a body: it cannot be refused. */
  isPart: boolean;
  isGone: (() => boolean) | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface Account {
  holder: string;
  /** Milliseconds that it may use; below zero, what it owes. */
  left: number;
  filledAt: number;
  activeAt: number;
  /** The turn in which something of it was begun last. */
  turn: number;
  queue: Waiting[];
}

export function createWorkGate(options: WorkGateOptions = {}): WorkGate {
  const { clock = () => performance.now(), busyMs = readBusyMs, later = runLater } = options;
  const accounts = new Map<string, Account>();
  /** Those who wait. */
  const queues = new Set<Account>();
  const lately = createLately();
  const measure = createMeasure(busyMs);
  const totals: GateTotals = { waits: 0, waitedMs: 0, refused: 0, sharedMs: 0 };
  let waiting = 0;
  /** What was begun in this turn of the event loop. */
  let begunMs = 0;
  let turnNumber = 0;
  let isTurning = false;

  function accountOf(holder: string, now: number): Account {
    let account = accounts.get(holder);
    if (!account) {
      if (accounts.size >= MAX_HOLDERS) forget(accounts, now);
      account = { holder, left: SAVED_MS, filledAt: now, activeAt: now, turn: -1, queue: [] };
      accounts.set(holder, account);
    }
    account.activeAt = now;
    lately.note(account, now);
    fill(account, now);
    return account;
  }

  function fill(account: Account, now: number): void {
    const most = lately.shareOf(account, now);
    const share = queues.size > 1 ? Math.min(most, WAITING_SHARE / queues.size) : most;
    account.left = Math.min(SAVED_MS, account.left + Math.max(0, now - account.filledAt) * share);
    account.filledAt = now;
  }

  function take(account: Account, cost: number, now: number): void {
    const ms = measure.take(cost, now);
    if (!lately.isShared(account, now)) return;
    account.left = Math.max(-MOST_OWED_MS, account.left - ms);
    totals.sharedMs += ms;
    begunMs += ms;
    account.turn = turnNumber;
    turnLater(0);
  }

  function turnLater(ms: number): void {
    if (isTurning) return;
    isTurning = true;
    later(turn, ms);
  }

  const mayBegin = (account: Account, now: number) => account.left > 0 || !lately.isShared(account, now);

  function turn(): void {
    isTurning = false;
    begunMs = 0;
    turnNumber += 1;
    if (waiting === 0) return;
    const now = clock();
    for (const account of queues) fill(account, now);
    // Whoever is alone is held up by nothing but the length of a turn.
    let aloneMs = 0;
    for (;;) {
      const next = richest(queues);
      if (!next || !mayBegin(next, now) || begunMs + aloneMs >= TURN_MS) break;
      const [first] = next.queue;
      begin(next, now);
      if (!lately.isShared(next, now)) aloneMs += first!.cost;
    }
    for (const account of queues) refuseLate(account, now);
    const next = richest(queues);
    if (next) turnLater(mayBegin(next, now) ? 0 : Math.ceil(-next.left / MOST_SHARE) || 1);
  }

  function begin(account: Account, now: number): void {
    const first = drop(account);
    totals.waitedMs += now - first.since;
    if (first.isGone?.()) return first.reject(new TooMuchWaitsError("the client has left"));
    take(account, first.cost, now);
    first.resolve();
  }

  /** @returns the one that has waited longest */
  function drop(account: Account): Waiting {
    const first = account.queue.shift()!;
    waiting -= 1;
    if (account.queue.length === 0) queues.delete(account);
    return first;
  }

  function refuseLate(account: Account, now: number): void {
    while (account.queue[0] && !account.queue[0].isPart && now - account.queue[0].since > MAX_WAIT_MS)
      refuse(drop(account).reject);
  }

  function refuse(reject: (error: unknown) => void): void {
    totals.refused += 1;
    reject(new TooMuchWaitsError(`${MAX_WAITING} requests wait already, or one has waited too long`));
  }

  function wait(account: Account, now: number, entering: Omit<Waiting, "since" | "resolve" | "reject">) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!entering.isPart && account.queue.length >= MAX_WAITING) dropGone(account);
    if (!entering.isPart && account.queue.length >= MAX_WAITING) refuse(reject);
    else {
      account.queue.push({ ...entering, since: now, resolve, reject });
      queues.add(account);
      waiting += 1;
      totals.waits += 1;
      turnLater(0);
    }
    return promise;
  }

  function dropGone(account: Account): void {
    for (const gone of account.queue.filter(({ isGone }) => isGone?.())) {
      account.queue.splice(account.queue.indexOf(gone), 1);
      waiting -= 1;
      gone.reject(new TooMuchWaitsError("the client has left"));
    }
  }

  return {
    enter(holder, { cost = COSTS.request, isGone } = {}) {
      const now = clock();
      const account = accountOf(holder, now);
      // What others have begun in this turn does not keep the first of its own from it.
      const isFull = begunMs >= TURN_MS && account.turn === turnNumber;
      if (account.queue.length > 0 || !mayBegin(account, now) || (isFull && lately.isShared(account, now)))
        return wait(account, now, { cost, isPart: false, isGone });
      take(account, cost, now);
      return undefined;
    },
    pace(holder, bytes) {
      const now = clock();
      const account = accountOf(holder, now);
      take(account, (bytes / MEGABYTE) * COSTS.megabyte, now);
      if (mayBegin(account, now)) return undefined;
      return wait(account, now, { cost: 0, isPart: true, isGone: undefined });
    },
    charge(holder, cost) {
      const now = clock();
      take(accountOf(holder, now), cost, now);
    },
    get waiting() {
      return waiting;
    },
    totals,
  };
}

const MEGABYTE = 1024 * 1024;

/** Who was active last, and who before that, of those who are known; and when strangers were. */
function createLately() {
  let last: Account | undefined;
  let other: Account | undefined;
  let strangers: Account | undefined;
  const isActive = (rival: Account | undefined, now: number) =>
    rival !== undefined && now - rival.activeAt < ACTIVE_MS;
  const isBesideKnown = (account: Account, now: number) => isActive(last === account ? other : last, now);
  return {
    note(account: Account, now: number): void {
      account.activeAt = now;
      if (account.holder === STRANGERS) strangers = account;
      else if (last !== account) [other, last] = [last, account];
    },
    /** Whether somebody else was active lately. */
    isShared: (account: Account, now: number) =>
      isBesideKnown(account, now) || (account !== strangers && isActive(strangers, now)),
    shareOf: (account: Account, now: number) =>
      isBesideKnown(account, now) ? MOST_SHARE : SHARE_BESIDE_STRANGERS,
  };
}

/** What the work that is charged has really cost. */
function createMeasure(busyMs: () => number) {
  let readAt = Number.NEGATIVE_INFINITY;
  let busyBefore = busyMs();
  let charged = 0;
  /** Of the last windows, the latest for most. */
  let sums = { busy: 10, charged: 10 };
  let ratio = 1;

  function read(now: number): void {
    const busy = busyMs();
    sums = { busy: FADE * sums.busy + busy - busyBefore, charged: FADE * sums.charged + charged };
    ratio = Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, sums.busy / (sums.charged + 0.001)));
    [readAt, busyBefore, charged] = [now, busy, 0];
  }

  return {
    /** @returns milliseconds */
    take(cost: number, now: number): number {
      if (now - readAt >= WINDOW_MS) read(now);
      charged += cost;
      return cost * ratio;
    },
  };
}

const FADE = 0.98;
const MOST_RATIO = 4;

function richest(queues: Iterable<Account>): Account | undefined {
  let most: Account | undefined;
  for (const account of queues) if (!most || account.left > most.left) most = account;
  return most;
}

function forget(accounts: Map<string, Account>, now: number): void {
  for (const [holder, { activeAt, queue }] of accounts)
    if (queue.length === 0 && now - activeAt > FORGET_MS) accounts.delete(holder);
}

/** Then its account is full again, whatever it owed. */
const FORGET_MS = (MOST_OWED_MS + SAVED_MS) / MOST_SHARE;

const readBusyMs = () => performance.eventLoopUtilization().active;

function runLater(run: () => void, ms: number): void {
  if (ms === 0) setImmediate(run);
  else setTimeout(run, ms);
}

/** Of this process. */
export const workGate = createWorkGate();

/** Between two parts of one long piece of work: others get their turns first. */
export async function nextTurnOf(holder: string): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve));
  const turn = workGate.pace(holder, 0);
  if (turn) await turn;
}
