/** The layer between clients and the application: identifies clients, limits their requests, checks for room. */
import type { Context, MiddlewareHandler } from "hono";
import type { Callers, Recognized } from "#accounts/index.ts";
import { answerAsText, type Failure, type FailureAnswer, inSeconds } from "#platform/http/failure.ts";
import {
  type AddressOf,
  connectionAddress,
  createAddressOf,
  createMatcher,
  networkOf,
} from "#platform/http/addresses/client-address.ts";
import { createCallerLimit, type TakeOne } from "#platform/http/limits/caller-limit.ts";
import type { ConnectionGuard } from "#platform/http/connections/connections.ts";
import { COSTS, REFUSED, RETRY_SECONDS, SIGN_IN, STRANGERS } from "#platform/fair/limits.ts";
import { offerTurn } from "#platform/fair/offered-turns.ts";
import { TooMuchWaitsError, type WorkGate } from "#platform/fair/work-gate.ts";
import { createHostNotice } from "./operator/host-notice.ts";
import { isInternalAddress } from "#platform/http/addresses/trusted-proxies.ts";
import { answerMcpFailure } from "#docs/mcp/answer-failure.ts";
import { answerSearchFailure } from "#search-server/index.ts";
import { answerCallFailure } from "#platform/http/call-failure.ts";
import type { Edge } from "#platform/house/edge.ts";
import {
  ANSWER_RATE,
  CALL_RATE,
  PAGE_RATE,
  type RequestRate,
  SEARCH_RATE,
} from "#platform/http/limits/request-rates.ts";

export interface EdgeOptions {
  /** Addresses and networks of the operator's own proxies. Default: none. */
  trustedProxies?: readonly string[];
  /** Multiplies the limits of a client; 0 removes them. Default 1. */
  rateLimitFactor?: number;
  /** Recognizes known callers and limits their calls. Default: no one is known. */
  callers?: Pick<Callers, "recognize" | "takeCall"> | undefined;
  /** Makes requests wait for their turn. Default: none waits. */
  gate?: Pick<WorkGate, "enter" | "charge"> | undefined;
  /** The search key of a request; null: no valid key. */
  searchKeyOf?: ((context: Context) => string | null) | undefined;
  /** Absent if the application is called without a server. */
  connections?: ConnectionGuard;
  /** `SITE_ORIGIN`; absent if no one signs in. */
  origin?: string;
  clock?: () => number;
  log?: (line: string) => void;
}

/** Also for requests before any room sees them; see `createApp`. */
export interface ServerEdge extends Edge {
  /** Answers `GET /health` with 503 once the server is stopping. */
  refuseHealth: MiddlewareHandler;
  /** Reports an untrusted proxy to the operator. */
  noticeProxy: MiddlewareHandler;
  /** Reports that people use another host name than `SITE_ORIGIN`. */
  noticeHost: MiddlewareHandler;
}

const ROOM_RETRY_SECONDS = 5;

export function createEdge(options: EdgeOptions = {}): ServerEdge {
  const { trustedProxies = [], rateLimitFactor = 1, connections, clock = Date.now } = options;
  const { callers, gate, searchKeyOf, log = (line: string) => console.warn(line), origin } = options;
  const addressOf = createAddressOf(trustedProxies);

  const recognize = (context: Context, address: string | null): Recognized | Promise<Recognized> =>
    callers?.recognize(context.req.raw.headers, address) ?? STRANGER;
  const { takeTurn, hasTurn } = createTurns(gate, addressOf);
  const takeFileTurn = async (context: Context) =>
    takeTurn(context, await recognize(context, addressOf(context)), COSTS.file);
  const takeOf = (rate: RequestRate) => createCallerLimit({ ...rate, clock }, rateLimitFactor);
  const limit =
    (what: string, take: TakeOne, { cost, spare }: LimitOptions): MiddlewareHandler =>
    async (context, next) => {
      const address = addressOf(context);
      const recognized = await recognize(context, address);
      const seconds = take(recognized.caller, address);
      if (seconds === 0 || spare?.(context) === 0)
        return (await takeTurn(context, recognized, cost)) ?? next();
      gate?.charge(REFUSED, COSTS.file);
      const whose = recognized.caller === null ? "from this address" : "from you";
      const message = `Too many ${what} ${whose}. Try again in ${inSeconds(seconds)}.`;
      return answerOf(context)(context, {
        reason: "too many requests",
        message,
        retryAfterSeconds: seconds,
      });
    };

  const takeWithKey = takeOf(SEARCH_RATE);
  /** Search keys are in pages that anyone may read: their budget is for clients whose network has used up its own. */
  const spareSearch = (context: Context) => {
    const key = searchKeyOf?.(context) ?? null;
    return key === null ? 1 : takeWithKey(key, null);
  };
  return {
    addressOf,
    refuseHealth: async (context, next) => {
      if (connections?.isDraining && isHealthPath(context.req.path))
        return context.json({ status: "unavailable" }, 503);
      return next();
    },
    noticeProxy: createProxyNotice(createMatcher(trustedProxies), log),
    noticeHost: origin === undefined ? passOn : createHostNotice(origin, log),
    async takeTurn(context) {
      if (!gate) return undefined;
      if (!isProbePath(context.req.path)) return takeFileTurn(context);
      gate.charge(REFUSED, COSTS.file);
      return undefined;
    },
    async offerTurn(context, next) {
      const { raw } = context.req;
      offerTurn(raw, () => takeFileTurn(context));
      await next();
      if (!hasTurn(raw)) gate?.charge(REFUSED, COSTS.file);
    },
    limitSearches: limit("searches", takeOf(SEARCH_RATE), { cost: COSTS.search, spare: spareSearch }),
    limitAnswers: limit("questions", takeOf(ANSWER_RATE), { cost: COSTS.search }),
    limitPages: limit("pages", takeOf(PAGE_RATE), { cost: COSTS.renderedPage }),
    limitCalls: limit("calls", callers?.takeCall ?? takeOf(CALL_RATE), { cost: COSTS.call }),
    refuseWithoutRoom: connections ? createRoomCheck(connections) : passOn,
  };
}

interface LimitOptions {
  /** Cost of its turn. */
  cost: number;
  /** A budget for clients whose network has used up its own. */
  spare?: (context: Context) => number;
}

const STRANGER = { caller: null, holder: STRANGERS };
const TOO_MUCH_WAITS: Failure = {
  reason: "too many requests",
  message: `Too many requests like this one are waiting. Try again in ${inSeconds(RETRY_SECONDS)}.`,
  retryAfterSeconds: RETRY_SECONDS,
};

function createTurns(gate: EdgeOptions["gate"], addressOf: AddressOf) {
  const haveTurns = new WeakSet<Request>();
  /** Makes a request wait for its turn, once. @returns nothing when it may be answered, or a refusal */
  async function takeTurn(
    context: Context,
    { holder, caller }: Recognized,
    cost: number,
  ): Promise<Response | undefined> {
    const { raw, path } = context.req;
    if (!gate || haveTurns.has(raw)) return undefined;
    haveTurns.add(raw);
    const isStranger = caller === null;
    const lane = isStranger ? networkOf(addressOf(context)) : "";
    const whose = isStranger && isSignInPath(path) ? SIGN_IN : holder;
    try {
      const turn = gate.enter(whose, { cost, isGone: () => raw.signal.aborted, lane });
      if (turn) await turn;
      return undefined;
    } catch (error) {
      if (!(error instanceof TooMuchWaitsError)) throw error;
      return answerOf(context)(context, TOO_MUCH_WAITS);
    }
  }
  return { takeTurn, hasTurn: (request: Request) => haveTurns.has(request) };
}

const passOn: MiddlewareHandler = (_context, next) => next();

const isHealthPath = (path: string) => /^(?:\/search)?\/health$/.test(path);
/** Used by programs that monitor the server; these requests never wait. */
const isProbePath = (path: string) => isHealthPath(path) || /^\/(?:healthz|readyz|metrics)$/.test(path);
const isCallPath = (path: string) =>
  /^\/(?:(?:console\/)?api|auth|oauth)\/|^\/app\/[^/]+\/(?:events|first-run)$/.test(path);
/** Used by people and programs that are about to sign in, and for invitations. */
const isSignInPath = (path: string) => /^\/(?:auth|oauth|app|device)(?:\/|$)/.test(path);
const isSearchPath = (path: string) => /^\/(?:multi-search$|indexes\/|search\/)/.test(path);

const isMcpPath = (path: string) => /^\/mcp(?:\/|$)/.test(path);

/** In the form of the address's protocol. */
function answerOf({ req: { path } }: Context): FailureAnswer {
  if (isSearchPath(path)) return answerSearchFailure;
  if (isMcpPath(path)) return answerMcpFailure;
  return isCallPath(path) ? answerCallFailure : answerAsText;
}

/** Checked again once the answer is made: many may have been made at the same time. */
function createRoomCheck(connections: ConnectionGuard): MiddlewareHandler {
  const message = `Too many responses are waiting for slow readers. Try again in ${ROOM_RETRY_SECONDS} seconds.`;
  const failure: Failure = { reason: "no room", message, retryAfterSeconds: ROOM_RETRY_SECONDS };
  const refuse = (context: Context) => answerOf(context)(context, failure);
  return async (context, next) => {
    if (!connections.hasRoomFor(context)) return refuse(context);
    await next();
    if (connections.hasRoomFor(context)) return undefined;
    void context.res.body?.cancel();
    // Otherwise it would get the headers of the answer that it replaces.
    context.res = undefined;
    context.res = refuse(context);
    return undefined;
  };
}

/** Reported once: until the operator acts, every request would repeat it. */
function createProxyNotice(
  isTrusted: (address: string) => boolean,
  log: (line: string) => void,
): MiddlewareHandler {
  let isTold = false;
  return (context, next) => {
    if (isTold || context.req.header("x-forwarded-for") === undefined) return next();
    const address = connectionAddress(context);
    if (address !== null && isInternalAddress(address) && !isTrusted(address)) {
      isTold = true;
      log(
        `  A proxy at ${address} sends readers' addresses (X-Forwarded-For) but is not trusted: all readers behind it share one client's limits. If it is yours, set TRUSTED_PROXIES=${address}.`,
      );
    }
    return next();
  };
}
