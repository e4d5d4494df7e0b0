/**
 * Who asks, at every door that asks for it: the API, events, the console, the cache, the registry.
 *
 *     a valid token or session ──► its own budget, whatever else comes from its address
 *     none, or a wrong one ──────► the budgets of its address and networks; 401, and 429 when they are used up
 *
 * Whoever is known then waits for the turn of their organization, where several share the event loop (decision 057).
 *
 * Who it is is found out before anybody is told to wait. That costs strangers' requests little: what is malformed is not
 * looked up, look-ups of all strangers share few statements (`load-identity.ts`), and nothing is told of who has to wait.
 */
import type { IncomingHttpHeaders } from "node:http";
import { scaleRate, type TakeOne } from "#platform/http/caller-limit.ts";
import { COSTS, REFUSED, RETRY_SECONDS, STRANGERS } from "#platform/fair/limits.ts";
import { type Entering, TooMuchWaitsError, type WorkGate } from "#platform/fair/work-gate.ts";
import { createNetworkLimit } from "#platform/http/network-limit.ts";
import type { Accounts } from "./accounts.ts";
import { type Actor, budgetOf, holderOf } from "./actor.ts";
import { hearRefusal } from "./events/hear-refusal.ts";
import { actIn, type Credentials, credentialsOf, identify } from "./identify.ts";
import { MAX_AUTHORIZATION_LENGTH, REFUSED_RATE } from "./limits.ts";
import { Refused } from "./refused.ts";

export interface Asking {
  /** Null if unknown. */
  address: string | null;
  /** As the tool names it; wins over the header `Millrace-Org`. */
  organization?: string | undefined;
  /** Where it asks, for those who are told of refusals. */
  at?: string | undefined;
  isGone?: IsGone | undefined;
}

/** Whether the client has left: it need not wait for a turn any more. */
export type IsGone = () => boolean;

/** Whose budget a request is counted for, and whose share of the work it is. */
export interface Recognized {
  /** Null: a stranger, who may be told later that a token is wrong. */
  caller: string | null;
  holder: string;
}

export interface Callers {
  /** Whose credentials these are; counts wrong ones. @throws Refused, TooManyRequestsError */
  find: (credentials: Credentials, address: string | null) => Promise<Actor>;
  /** `find`, and takes a call of whoever it is. @throws Refused, TooManyRequestsError */
  admit: (credentials: Credentials, address: string | null, isGone?: IsGone) => Promise<Actor>;
  /**
   * `find` for the cache and the registry: a token as `Bearer`, or as the password of `Basic` with any user name. Cookies
   * do not count. Who looks on is told of refusals. @throws Refused, TooManyRequestsError
   */
  identify: (headers: IncomingHttpHeaders, asking: Asking) => Promise<Actor>;
  /** Whose request it is, for what anybody may ask for. */
  recognize: (headers: Headers, address: string | null) => Promise<Recognized>;
  /**
   * For what needs no credentials in the headers: takes a call of the address. It waits for no turn, because a job's token that is
   * right must not be refused for those of its network that are not. @returns 0, or the seconds to wait unless it is right
   */
  admitStranger: (address: string | null) => number;
  /** Takes a call of a caller or, for null, of an address. @returns 0, or the seconds to wait */
  takeCall: TakeOne;
  /** Counts credentials that were wrong. @returns why another one has to wait; null: it is told what is wrong */
  countWrong: (address: string | null) => TooManyRequestsError | null;
}

/** There are too many requests like this one. */
export class TooManyRequestsError extends Error {
  /** Until another one is answered. */
  readonly seconds: number;
  constructor(what: string, seconds: number) {
    super(`${what}; try again in ${seconds} s`);
    this.seconds = seconds;
  }
}

export interface CallersOptions {
  /** Multiplies how many wrong tokens one client may show; 0 removes the limit. Default 1. */
  rateLimitFactor?: number;
  /** Takes a call. Default: there is no limit. */
  takeCall?: TakeOne;
  /** Where organizations wait for their turns. Default: nobody waits. */
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
      // Who shows nothing costs no look-up.
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
        if (refused instanceof Refused) hearRefusal(accounts, { refused, ...call });
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

/** @returns what returns nothing when the work may begin at once. It rejects with TooManyRequestsError */
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
