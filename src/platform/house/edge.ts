/** What lies between clients and rooms, as rooms use it: middleware that counts requests and lets them wait for their turn. */
import type { Context, MiddlewareHandler } from "hono";
import type { AddressOf } from "../http/client-address.ts";

export interface Edge {
  addressOf: AddressOf;
  /** Once for each request that does not ask itself who calls. @returns nothing when it may be answered, or a refusal */
  takeTurn: (context: Context) => Promise<Response | undefined>;
  /** For a part with limits of its own: it takes the turn itself (`takeOfferedTurn`), after them. */
  offerTurn: MiddlewareHandler;
  /** These count a request for its client first, and let it wait for its turn then: what is refused takes none. */
  limitSearches: MiddlewareHandler;
  limitPages: MiddlewareHandler;
  /** For what does not ask itself who calls. */
  limitCalls: MiddlewareHandler;
  /** Answers 503 while too many finished answers wait for slow readers. */
  refuseWithoutRoom: MiddlewareHandler;
}
