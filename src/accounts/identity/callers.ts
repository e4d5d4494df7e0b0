/**
 * Identifies the caller, at every endpoint that requires it: the API, events, the console, the cache, the registry.
 *
 *     a valid token or session ──► its own budget, whatever other requests its address sends
 *     none, or a wrong token ────► the budgets of its address and networks; 401, and 429 when they are used up
 *
 * A known caller then waits for their organization's turn, where several organizations share the event loop (decision 057).
 *
 * The caller is identified before anyone has to wait. For strangers this costs little: malformed tokens are not looked up,
 * look-ups of all strangers share a few statements (`load-identity.ts`), and callers who have to wait are not reported.
 */
import type { IncomingHttpHeaders } from "node:http";
import { scaleRate, type TakeOne } from "#platform/http/limits/caller-limit.ts";
import { COSTS, REFUSED, RETRY_SECONDS, STRANGERS } from "#platform/fair/limits.ts";
import { type Entering, TooMuchWaitsError, type WorkGate } from "#platform/fair/work-gate.ts";
import { createNetworkLimit } from "#platform/http/limits/network-limit.ts";
import type { Accounts } from "../contract/accounts.ts";
import { type Actor, budgetOf, holderOf } from "../contract/actor.ts";
import { reportRefusal } from "./report-refusal.ts";
import { actIn, type Credentials, credentialsOf, identify } from "./identify.ts";
import { MAX_AUTHORIZATION_LENGTH, REFUSED_RATE } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";

export interface Asking {
  /** Null if unknown. */
  address: string | null;
  /** As the tool names it; wins over the header `Millrace-Org`. */
  organization?: string | undefined;
  /** The place of the request, for reports of refusals. */
  at?: string | undefined;
  isGone?: IsGone | undefined;
}

/** Whether the client has left and no longer waits for a turn. */
export type IsGone = () => boolean;

/** The budget that a request counts against, and the holder whose share of the work it uses. */
export interface Recognized {
  /** Null: a stranger, who may learn later that a token is wrong. */
  caller: string | null;
  holder: string;
}

export interface Callers {
  /** Identifies the caller; counts wrong credentials. @throws Refused, TooManyRequestsError */
  find: (credentials: Credentials, address: string | null) => Promise<Actor>;
  /** `find`, and takes one call from the caller's budget. @throws Refused, TooManyRequestsError */
  admit: (credentials: Credentials, address: string | null, isGone?: IsGone) => Promise<Actor>;
  /**
   * `find` for the cache and the registry: a token as `Bearer`, or as the password of `Basic` with any user name. Cookies do
   * not count. Refusals go to the event stream. @throws Refused, TooManyRequestsError
   */
  identify: (headers: IncomingHttpHeaders, asking: Asking) => Promise<Actor>;
  /** Identifies the caller of a request that needs no credentials. */
  recognize: (headers: Headers, address: string | null) => Promise<Recognized>;
  /**
   * For calls without credentials in the headers: takes a call of the address. It does not wait for a turn, because a valid
   * job token must not be refused because of wrong ones from its network. @returns 0, or the seconds to wait unless it is
   * right
   */
  admitStranger: (address: string | null) => number;
  /** Takes a call of a caller or, for null, of an address. @returns 0, or the seconds to wait */
  takeCall: TakeOne;
  /** Counts wrong credentials. @returns why the client has to wait; null: it learns what is wrong */
  countWrong: (address: string | null) => TooManyRequestsError | null;
}

/** Too many requests of this kind. */
export class TooManyRequestsError extends Error {
  /** Until the next request is answered. */
  readonly seconds: number;
  constructor(what: string, seconds: number) {
    super(`${what}; try again in ${seconds} s`);
    this.seconds = seconds;
  }
}

export interface CallersOptions {
  /** Multiplies how many wrong tokens one client may show; 0 removes the limit. Default 1. */
  rateLimitFactor?: number;
  /** Takes a call. Default: no limit. */
  takeCall?: TakeOne;
  /** Where organizations wait for their turns. Default: no one waits. */
  gate?: Pick<WorkGate, "enter" | "charge"> | undefined;
  clock?: () => number;
}

export function createCallers(accounts: Accounts, options: CallersOptions = {}): Callers {
  const { rateLimitFactor: factor = 1, takeCall = () => 0, gate, clock = Date.now } = options;
  const countWrong = createWrongCount(factor, clock);
  const enter = createEntering(gate);

  async function find({ bearer, cookie }: Credentials, address: string | null): Promise<Actor> {
    try {
      return await identify(accounts, { bearer, cookie }, address);
    } catch (error) {
      if (isUnauthenticated(error)) gate?.charge(REFUSED, COSTS.request);
      // A request without credentials costs no look-up.
      const tooMany = isUnauthenticated(error) && (bearer || cookie) ? countWrong(address) : null;
      throw tooMany ?? error;
    }
  }

  function take(caller: string | null, address: string | null): void {
    const seconds = takeCall(caller, address);
    if (seconds > 0) throw tooManyCalls(caller, seconds);
  }

  return {
    find,
    takeCall,
    countWrong,
    async admit(credentials, address, isGone) {
      const actor = await find(credentials, address).catch((error: unknown) => {
        if (isUnauthenticated(error)) take(null, address);
        throw error;
      });
      take(budgetOf(actor), address);
      const acting = actIn(actor, credentials.organization);
      const turn = enter(holderOf(acting), { cost: COSTS.call, isGone });
      if (turn) await turn;
      return acting;
    },
    admitStranger(address) {
      gate?.charge(REFUSED, COSTS.call);
      return takeCall(null, address);
    },
    async identify(headers, { address, organization, at, isGone }) {
      const shown = readToken(headers.authorization ?? "");
      try {
        const actor = await find({ bearer: shown }, address);
        const acting = actIn(actor, organization ?? headers["millrace-org"]?.toString());
        const turn = enter(holderOf(acting), { cost: COSTS.request, isGone });
        if (turn) await turn;
        return acting;
      } catch (refused) {
        const call = { actor: null, shown, address: address ?? "", ...(at !== undefined && { at }) };
        if (refused instanceof Refused) reportRefusal(accounts, { refused, ...call });
        throw refused;
      }
    },
    recognize: (headers, address) => recognize(accounts, headers, address),
  };
}

async function recognize(accounts: Accounts, headers: Headers, address: string | null): Promise<Recognized> {
  const { bearer, cookie } = credentialsOf(accounts, headers);
  if (!bearer && !cookie) return STRANGER;
  try {
    const actor = await identify(accounts, { bearer, cookie }, address);
    return { caller: budgetOf(actor), holder: holderOf(actor) };
  } catch (error) {
    if (error instanceof Refused) return STRANGER;
    throw error;
  }
}

/** @returns a function that returns undefined when the work may begin immediately. It rejects with TooManyRequestsError */
const createEntering =
  (gate: CallersOptions["gate"]) =>
  (holder: string, entering: Entering): Promise<void> | undefined =>
    gate?.enter(holder, entering)?.catch((error: unknown) => {
      throw error instanceof TooMuchWaitsError ? tooMuchWaits() : error;
    });

const STRANGER: Recognized = { caller: null, holder: STRANGERS };

const tooManyCalls = (caller: string | null, seconds: number) =>
  new TooManyRequestsError(`too many calls ${caller === null ? "from this address" : "from you"}`, seconds);

const tooMuchWaits = () =>
  new TooManyRequestsError("too many requests from your organization are waiting", RETRY_SECONDS);

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof Refused && error.code === "unauthenticated";

function createWrongCount(factor: number, clock: () => number): Callers["countWrong"] {
  const rate = scaleRate({ ...REFUSED_RATE, clock }, factor);
  if (!rate) return () => null;
  const wrong = createNetworkLimit(rate);
  return (address) => {
    const seconds = wrong.take(address);
    if (seconds === 0) return null;
    return new TooManyRequestsError("too many requests from this address had no valid token", seconds);
  };
}

function readToken(authorization: string): string {
  if (authorization.length > MAX_AUTHORIZATION_LENGTH) return "";
  const space = authorization.indexOf(" ");
  const scheme = authorization.slice(0, space).toLowerCase();
  const value = authorization.slice(space + 1).trim();
  if (scheme === "bearer") return value;
  if (scheme !== "basic") return "";
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? "" : pair.slice(colon + 1);
}
