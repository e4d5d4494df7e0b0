/** Middleware between clients and rooms, for rooms to use: it counts requests and makes them wait for their turn. */
import type { Context, MiddlewareHandler } from "hono";
import type { AddressOf } from "../http/addresses/client-address.ts";

export interface Edge {
  addressOf: AddressOf;
  /** Once per request that does not identify its caller itself. @returns nothing when it may be answered, or a refusal */
  takeTurn: (context: Context) => Promise<Response | undefined>;
  /** For a part with its own limits: it takes the turn itself (`takeOfferedTurn`), after its limits. */
  offerTurn: MiddlewareHandler;
  /** These first count a request for its client, then make it wait for its turn: refused requests take no turn. */
  limitSearches: MiddlewareHandler;
  limitPages: MiddlewareHandler;
  /** For answers that a model writes. */
  limitAnswers: MiddlewareHandler;
  /** For requests that do not identify their caller. */
  limitCalls: MiddlewareHandler;
  /** Answers 503 while too many finished answers wait for slow readers. */
  refuseWithoutRoom: MiddlewareHandler;
}
