/**
 * Decides which organization uses the event loop next.
 *
 *     request ─► holder? ─► alone, or within its share ────────────────────► work
 *                     └───► its own queue ─► a turn: holder with least use first ─┘
 *                                   └─► too long, or too many ─► refused
 *
 * A holder is an organization, a person without one, all strangers together, or strangers who are signing in. Strangers' requests
 * wait in a lane for each network (`lanes.ts`).
 *
 * Each holder has an account of milliseconds, which fills by its share of the time and is charged for its requests. While others
 * are active, a holder works only with a positive balance: a flood gets its share, however much of it waits, and the requests of
 * others find the event loop idle half of the time. This half is not given to holders that want more: on a loop that is always
 * busy, every step of every request waits.
 *
 * The loop's time cannot be attributed to single requests, so costs come from a table and are multiplied by the ratio of the
 * loop's busy time to the charged time: all charges together equal the time used.
 */
import { type Account, Accounts, mostOwed, richest } from "./accounts.ts";
import type { Waiting } from "./lanes.ts";
import { COSTS, MOST_SHARE, TURN_MS, UPLOADED } from "./limits.ts";
import { noteHolder } from "../log/request-context.ts";
import { createMeasure, type Measure, readBusyMs } from "./measure.ts";
import { Queues, TooMuchWaitsError } from "./queues.ts";

export { TooMuchWaitsError } from "./queues.ts";

export interface Entering {
  /** Its assumed cost (`COSTS`). Default: a request's. */
  cost?: number;
  /** Whether its client has left; asked when its turn comes. */
  isGone?: (() => boolean) | undefined;
  /** A stranger's network, whose requests wait in their own lane. */
  lane?: string | undefined;
}

export interface WorkGate {
  /** @returns nothing when it may begin immediately; otherwise a promise. Rejects with TooMuchWaitsError */
  enter: (holder: string, entering?: Entering) => Promise<void> | undefined;
  /** For bytes received or sent. @returns nothing, or a promise for when more may follow. It never rejects */
  pace: (holder: string, bytes: number) => Promise<void> | undefined;
  /** For work that has turned out to cost more, or when nothing remains that could wait. */
  charge: (holder: string, cost: number) => void;
  readonly waiting: number;
  readonly totals: Readonly<GateTotals>;
}

/** Since the start. */
export interface GateTotals {
  /** Requests and parts of bodies that had to wait, their total wait in milliseconds, and refused requests. */
  waits: number;
  waitedMs: number;
  refused: number;
  /** Charges to holders that shared the loop, in milliseconds. */
  sharedMs: number;
}

export interface WorkGateOptions {
  /** In milliseconds. */
  clock?: () => number;
  /** How long the event loop has been busy, in milliseconds. */
  busyMs?: () => number;
  /** Runs it in a later turn of the event loop, after this many milliseconds. */
  later?: (run: () => void, ms: number) => void;
}

const MEGABYTE = 1024 * 1024;

const costOfBytes = (bytes: number) => (bytes / MEGABYTE) * COSTS.megabyte;

class Gate implements WorkGate {
  readonly #totals = { waits: 0, waitedMs: 0, sharedMs: 0 };
  readonly #clock: () => number;
  readonly #later: NonNullable<WorkGateOptions["later"]>;
  readonly #measure: Measure;
  readonly #accounts = new Accounts();
  readonly #queues = new Queues();
  /** Milliseconds of work begun in this turn of the event loop. */
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
    return this.#queues.size;
  }

  get totals(): GateTotals {
    return { ...this.#totals, refused: this.#queues.refused };
  }

  enter(
    holder: string,
    { cost = COSTS.request, isGone, lane = "" }: Entering = {},
  ): Promise<void> | undefined {
    const now = this.#clock();
    const account = this.#findActive(holder, now);
    if (account.queue.requests > 0 || !this.#hasTurn(account, now))
      return this.#wait(account, { cost, since: now, isPart: false, isGone, lane });
    this.#take(account, cost, now, lane);
    return undefined;
  }

  pace(holder: string, bytes: number): Promise<void> | undefined {
    const now = this.#clock();
    const account = this.#findActive(holder, now);
    this.#take(account, costOfBytes(bytes), now);
    if (this.#accounts.mayBegin(account, now)) return undefined;
    return this.#wait(account, { cost: 0, since: now, isPart: true, isGone: undefined, lane: "" });
  }

  charge(holder: string, cost: number): void {
    const now = this.#clock();
    this.#take(this.#find(holder, now), cost, now);
  }

  #find(holder: string, now: number): Account {
    const account = this.#accounts.find(holder, now);
    this.#accounts.fill(account, now, this.#queues.holders.size);
    return account;
  }

  /** From here on the request's holder is known. */
  #findActive(holder: string, now: number): Account {
    noteHolder(holder);
    const account = this.#find(holder, now);
    this.#accounts.noteActive(account, now);
    return account;
  }

  #hasTurn(account: Account, now: number): boolean {
    if (!this.#accounts.mayBegin(account, now)) return false;
    // The work of others in this turn does not block this holder's first.
    const isFull = this.#begunMs >= TURN_MS && account.turn === this.#turn;
    return !isFull || !this.#accounts.isShared(account, now);
  }

  #take(account: Account, cost: number, now: number, lane = ""): void {
    const ms = this.#measure.take(cost, now);
    if (!this.#accounts.isShared(account, now)) return;
    account.left = Math.max(-mostOwed(this.#queues.holders.size), account.left - ms);
    account.queue.note(lane, ms, now);
    account.turn = this.#turn;
    this.#totals.sharedMs += ms;
    this.#begunMs += ms;
    this.#turnLater(0, now);
  }

  #wait(account: Account, entering: Omit<Waiting, "resolve" | "reject">): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (this.#queues.add(account, { ...entering, resolve, reject })) {
      this.#totals.waits += 1;
      this.#turnLater(0, entering.since);
    }
    return promise;
  }

  /** Replaces a turn planned for later: the nearer turn plans it again. */
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
    const { holders } = this.#queues;
    if (holders.size === 0) return;
    const now = this.#clock();
    for (const account of holders) this.#accounts.fill(account, now, holders.size);
    this.#admit(now);
    this.#queues.refuseLate(now);
    const next = richest(holders);
    if (next)
      this.#turnLater(this.#accounts.mayBegin(next, now) ? 0 : Math.ceil(-next.left / MOST_SHARE) || 1, now);
  }

  /** A holder that is alone is limited only by the length of a turn. */
  #admit(now: number): void {
    let aloneMs = 0;
    for (;;) {
      const next = richest(this.#queues.holders);
      if (!next || !this.#accounts.mayBegin(next, now) || this.#begunMs + aloneMs >= TURN_MS) return;
      const first = this.#queues.shift(next);
      this.#totals.waitedMs += now - first.since;
      if (first.isGone?.()) first.reject(new TooMuchWaitsError("the client has left"));
      else {
        this.#take(next, first.cost, now, first.lane);
        if (!this.#accounts.isShared(next, now)) aloneMs += first.cost;
        first.resolve();
      }
    }
  }
}

export const createWorkGate = (options: WorkGateOptions = {}): WorkGate => new Gate(options);

function runLater(run: () => void, ms: number): void {
  if (ms === 0) setImmediate(run);
  else setTimeout(run, ms);
}

/** The gate of this process. */
export const workGate: WorkGate = createWorkGate();

/** For bytes received for storage. @returns as `pace` */
export const paceUpload = (holder: string, bytes: number): Promise<void> | undefined =>
  workGate.pace(holder, UPLOADED * bytes);

/** For bytes received or sent, when nothing remains that could wait. */
export const chargeBytes = (holder: string, bytes: number): void =>
  workGate.charge(holder, costOfBytes(bytes));

export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Call between two parts of long work, so that others get their turns. */
export async function nextTurnOf(holder: string): Promise<void> {
  await nextTurn();
  const turn = workGate.pace(holder, 0);
  if (turn) await turn;
}
