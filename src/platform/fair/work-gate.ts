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
import { type Account, Accounts, richest, type Waiting } from "./accounts.ts";
import { COSTS, MAX_WAIT_MS, MAX_WAITING, MOST_OWED_MS, MOST_SHARE, TURN_MS, UPLOADED } from "./limits.ts";
import { createMeasure, type Measure, readBusyMs } from "./measure.ts";

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

const MEGABYTE = 1024 * 1024;

class Gate implements WorkGate {
  readonly totals: GateTotals = { waits: 0, waitedMs: 0, refused: 0, sharedMs: 0 };
  readonly #clock: () => number;
  readonly #later: NonNullable<WorkGateOptions["later"]>;
  readonly #measure: Measure;
  readonly #accounts = new Accounts();
  /** Those of whom something waits. */
  readonly #queues = new Set<Account>();
  #waiting = 0;
  /** What was begun in this turn of the event loop. */
  #begunMs = 0;
  #turn = 0;
  /** When the next turn begins. */
  #turnAt = Number.POSITIVE_INFINITY;
  #plans = 0;

  constructor({ clock = () => performance.now(), busyMs = readBusyMs, later = runLater }: WorkGateOptions) {
    this.#clock = clock;
    this.#later = later;
    this.#measure = createMeasure(busyMs);
  }

  get waiting(): number {
    return this.#waiting;
  }

  enter(holder: string, { cost = COSTS.request, isGone }: Entering = {}): Promise<void> | undefined {
    const now = this.#clock();
    const account = this.#find(holder, now);
    if (account.queue.length > 0 || !this.#hasTurn(account, now))
      return this.#wait(account, now, { cost, isPart: false, isGone });
    this.#take(account, cost, now);
    return undefined;
  }

  pace(holder: string, bytes: number): Promise<void> | undefined {
    const now = this.#clock();
    const account = this.#find(holder, now);
    this.#take(account, (bytes / MEGABYTE) * COSTS.megabyte, now);
    if (this.#accounts.mayBegin(account, now)) return undefined;
    return this.#wait(account, now, { cost: 0, isPart: true, isGone: undefined });
  }

  charge(holder: string, cost: number): void {
    const now = this.#clock();
    this.#take(this.#find(holder, now), cost, now);
  }

  #find(holder: string, now: number): Account {
    const account = this.#accounts.find(holder, now);
    this.#accounts.fill(account, now, this.#queues.size);
    return account;
  }

  #hasTurn(account: Account, now: number): boolean {
    if (!this.#accounts.mayBegin(account, now)) return false;
    // What others have begun in this turn does not keep the first of its own from it.
    const isFull = this.#begunMs >= TURN_MS && account.turn === this.#turn;
    return !isFull || !this.#accounts.isShared(account, now);
  }

  #take(account: Account, cost: number, now: number): void {
    const ms = this.#measure.take(cost, now);
    if (!this.#accounts.isShared(account, now)) return;
    account.left = Math.max(-MOST_OWED_MS, account.left - ms);
    account.turn = this.#turn;
    this.totals.sharedMs += ms;
    this.#begunMs += ms;
    this.#turnLater(0, now);
  }

  #wait(account: Account, now: number, entering: Pick<Waiting, "cost" | "isPart" | "isGone">): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!entering.isPart && account.queue.length >= MAX_WAITING) this.#dropGone(account);
    if (!entering.isPart && account.queue.length >= MAX_WAITING) this.#refuse(reject);
    else {
      account.queue.push({ ...entering, since: now, resolve, reject });
      this.#queues.add(account);
      this.#waiting += 1;
      this.totals.waits += 1;
      this.#turnLater(0, now);
    }
    return promise;
  }

  /** One that was planned for later is given up: the nearer one plans it again. */
  #turnLater(ms: number, now: number): void {
    if (this.#turnAt <= now + ms) return;
    this.#turnAt = now + ms;
    this.#plans += 1;
    const plan = this.#plans;
    this.#later(() => {
      if (plan === this.#plans) this.#beginTurn();
    }, ms);
  }

  #beginTurn(): void {
    this.#turnAt = Number.POSITIVE_INFINITY;
    this.#begunMs = 0;
    this.#turn += 1;
    if (this.#waiting === 0) return;
    const now = this.#clock();
    for (const account of this.#queues) this.#accounts.fill(account, now, this.#queues.size);
    this.#admit(now);
    for (const account of this.#queues) this.#refuseLate(account, now);
    const next = richest(this.#queues);
    if (next)
      this.#turnLater(this.#accounts.mayBegin(next, now) ? 0 : Math.ceil(-next.left / MOST_SHARE) || 1, now);
  }

  /** Whoever is alone is held up by nothing but the length of a turn. */
  #admit(now: number): void {
    let aloneMs = 0;
    for (;;) {
      const next = richest(this.#queues);
      if (!next || !this.#accounts.mayBegin(next, now) || this.#begunMs + aloneMs >= TURN_MS) return;
      const first = this.#drop(next);
      this.totals.waitedMs += now - first.since;
      if (first.isGone?.()) first.reject(new TooMuchWaitsError("the client has left"));
      else {
        this.#take(next, first.cost, now);
        if (!this.#accounts.isShared(next, now)) aloneMs += first.cost;
        first.resolve();
      }
    }
  }

  /** @returns the one that has waited longest */
  #drop(account: Account): Waiting {
    const first = account.queue.shift()!;
    this.#waiting -= 1;
    if (account.queue.length === 0) this.#queues.delete(account);
    return first;
  }

  /** Those who have waited longest come first. */
  #refuseLate(account: Account, now: number): void {
    const [first] = account.queue;
    if (!first || now - first.since <= MAX_WAIT_MS) return;
    this.#keep(account, ({ isPart, since, reject }) => {
      if (isPart || now - since <= MAX_WAIT_MS) return true;
      this.#refuse(reject);
      return false;
    });
  }

  #dropGone(account: Account): void {
    this.#keep(account, ({ isGone, reject }) => {
      if (!isGone?.()) return true;
      reject(new TooMuchWaitsError("the client has left"));
      return false;
    });
  }

  #keep(account: Account, isKept: (waiting: Waiting) => boolean): void {
    const before = account.queue.length;
    account.queue = account.queue.filter(isKept);
    this.#waiting -= before - account.queue.length;
    if (account.queue.length === 0) this.#queues.delete(account);
  }

  #refuse(reject: (error: unknown) => void): void {
    this.totals.refused += 1;
    reject(new TooMuchWaitsError(`${MAX_WAITING} requests wait already, or one has waited too long`));
  }
}

export const createWorkGate = (options: WorkGateOptions = {}): WorkGate => new Gate(options);

function runLater(run: () => void, ms: number): void {
  if (ms === 0) setImmediate(run);
  else setTimeout(run, ms);
}

/** Of this process. */
export const workGate: WorkGate = createWorkGate();

/** For bytes that came to be kept. @returns as `pace` */
export const paceUpload = (holder: string, bytes: number): Promise<void> | undefined =>
  workGate.pace(holder, UPLOADED * bytes);

/** Between two parts of one long piece of work: others get their turns first. */
export async function nextTurnOf(holder: string): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve));
  const turn = workGate.pace(holder, 0);
  if (turn) await turn;
}
