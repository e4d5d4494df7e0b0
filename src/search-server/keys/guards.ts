/** Puts a guard before every route that needs a right, and remembers the sender of each request. */
import type { Context, Hono } from "hono";
import { isIndexUid } from "../protocol/index-uid.ts";
import { type Access, serverRefused } from "./access.ts";
import type { Identify } from "./gatekeeper.ts";
import type { RouteRight } from "./route-rights.ts";
import { conjoin, type Filter } from "./search-rules.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The sender's access. */
    searchAccess?: Access;
    /** Whether a row of the table has allowed it. */
    isSearchAccessDecided?: boolean;
  }
}

/** The access of the request's sender. @throws Error on a route without a guard */
export function accessOf(context: Context): Access {
  const access = context.get("searchAccess");
  if (!access) throw new Error(`${context.req.method} ${context.req.path} has no guard.`);
  return access;
}

/** Call it before the routes are mounted. */
export function mountGuards(app: Hono, identify: Identify, rights: readonly RouteRight[]): void {
  function identified(context: Context): Access {
    const known = context.get("searchAccess");
    if (known) return known;
    const access = identify(context);
    context.set("searchAccess", access);
    return access;
  }

  for (const { method, path, action, isOfServer } of rights) {
    app.on(method, path, (context, next) => {
      const access = identified(context);
      const uid = path.startsWith("/indexes/:uid") ? context.req.param("uid") : undefined;
      if (action === "search") {
        // An invalid name reveals nothing, and the route says what a name must be.
        if (uid !== undefined && isIndexUid(uid)) access.searchRule(uid);
      } else access.require(action, uid);
      if (isOfServer && !access.seesAll) throw serverRefused();
      context.set("isSearchAccessDecided", true);
      return next();
    });
  }
}

/** For addresses without a row in the table: only the holder of all rights learns what exists there. */
export function refuseUndecided(app: Hono, identify: Identify, paths: readonly string[]): void {
  for (const path of paths) {
    app.use(path, (context, next) => {
      if (context.get("isSearchAccessDecided") !== true) {
        const access = identify(context);
        access.require("*");
        context.set("searchAccess", access);
        context.set("isSearchAccessDecided", true);
      }
      return next();
    });
  }
}

/** The filter with which an index may be searched: the query's own and the rule's. @throws ApiError if it may not */
export type Restrict = (indexUid: string, own: Filter) => Filter;

/** How one request's searches are restricted, and whether its answer is the same for everyone. */
export interface SearchJudge {
  restrict: Restrict;
  /** Called for a request without a query. @throws ApiError for a sender without a key */
  refuseNothing: () => void;
  /** Whether the request may get an answer that everyone may see. */
  readonly mayShare: boolean;
  /** Whether everyone may see the answer: only public indexes were searched, by no rule. */
  readonly isShared: boolean;
}

/** @param access of the sender */
export function judgeSearches(access: Access, isPublic: (uid: string) => boolean): SearchJudge {
  let isShared = !access.isNarrowed;
  return {
    restrict(uid, own) {
      const rule = access.searchRule(uid);
      if (!isPublic(uid)) isShared = false;
      return conjoin(rule.filter, own);
    },
    refuseNothing: () => access.requireKey(),
    mayShare: !access.isNarrowed,
    get isShared() {
      return isShared;
    },
  };
}
