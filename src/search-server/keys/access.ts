/** The rights of one request's sender. Anything not granted here is refused. */
import { ApiError, indexNotFound } from "../protocol/errors.ts";
import { type Action, expandActions } from "./actions.ts";
import { includesPattern, matchesPattern } from "./index-patterns.ts";
import type { NewKey, ApiKey } from "./key-store.ts";
import { EVERYTHING, ruleFor, type SearchRule, type SearchRules } from "./search-rules.ts";

export interface Access {
  /** @throws ApiError if `action` is not granted (on this index, if one is named) */
  require: (action: Action, indexUid?: string) => void;
  /** Whether an action is granted on one index. */
  may: (action: Action, indexUid: string) => boolean;
  /** Whether an index may be named in an answer. */
  sees: (indexUid: string) => boolean;
  /** The same for every index, including future ones. */
  readonly seesAll: boolean;
  /** How an index may be searched. @throws ApiError if it may not */
  searchRule: (indexUid: string) => SearchRule;
  /** For a search that names no index. @throws ApiError for a sender without a valid key, where there are keys */
  requireKey: () => void;
  /** Whether the answer to a body may differ from that for other senders, even from public indexes. */
  readonly isNarrowed: boolean;
  /** Whether all of a key's rights are granted here: keys that may do more cannot be made or read. */
  holds: (key: Pick<NewKey, "actions" | "indexes" | "expiresAt">) => boolean;
}

/** For senders without a key or with an unknown one; `refuse` makes the error. */
export function strangerAccess(isPublic: (uid: string) => boolean, refuse: () => ApiError): Access {
  return {
    require: () => {
      throw refuse();
    },
    may: () => false,
    sees: () => false,
    seesAll: false,
    searchRule: (uid) => {
      if (isPublic(uid)) return EVERYTHING;
      throw refuse();
    },
    requireKey: () => {
      throw refuse();
    },
    isNarrowed: false,
    holds: () => false,
  };
}

/** For a server without keys: it does not reveal whether an index that is not public exists. */
export function keylessAccess(isPublic: (uid: string) => boolean): Access {
  const off = () =>
    new ApiError(
      "not_found",
      "This route is off: the server was started without SEARCH_ADMIN_KEY. Set it to change indexes over HTTP.",
    );
  return {
    ...strangerAccess(isPublic, off),
    requireKey: () => {},
    searchRule: (uid) => {
      if (isPublic(uid)) return EVERYTHING;
      throw indexNotFound(uid);
    },
  };
}

export const MASTER_ACCESS: Access = {
  require: () => {},
  may: () => true,
  sees: () => true,
  seesAll: true,
  searchRule: () => EVERYTHING,
  requireKey: () => {},
  isNarrowed: false,
  holds: () => true,
};

/** For senders with a key, or with a token (`rules`) signed with it. */
export function keyAccess(
  { record, actions, expiresAt }: ApiKey,
  isPublic: (uid: string) => boolean,
  rules: SearchRules | null = null,
): Access {
  const covers = (uid: string) => record.indexes.some((pattern) => matchesPattern(pattern, uid));
  // A token is only for searching, whatever else its key may do.
  const grants = (action: Action) => actions.has(action) && (rules === null || action === "search");
  const sees = (uid: string) => covers(uid) && (rules === null || ruleFor(rules, uid) !== null);

  function require(action: Action, uid?: string): void {
    if (uid !== undefined && !sees(uid)) throw indexRefused(uid, record.indexes, rules);
    if (!grants(action)) throw invalidKey();
  }

  return {
    require,
    may: (action, uid) => grants(action) && sees(uid),
    sees,
    seesAll: rules === null && record.indexes.includes("*"),
    searchRule(uid) {
      const rule = rules === null ? EVERYTHING : ruleFor(rules, uid);
      if (isPublic(uid)) return rule ?? EVERYTHING;
      require("search", uid);
      return rule ?? EVERYTHING;
    },
    requireKey: () => {},
    isNarrowed: rules !== null,
    holds: (other) =>
      rules === null &&
      [...expandActions(other.actions)].every((action) => actions.has(action)) &&
      other.indexes.every((inner) => record.indexes.some((outer) => includesPattern(outer, inner))) &&
      (expiresAt === null || (other.expiresAt !== null && Date.parse(other.expiresAt) <= expiresAt)),
  };
}

export function invalidKey(): ApiError {
  return new ApiError("invalid_api_key", "The provided API key is invalid.");
}

/** For a key of some indexes on a route that acts on the whole server. */
export function serverRefused(): ApiError {
  return new ApiError(
    "invalid_api_key",
    "This route acts on the whole server. The API key must be for all indexes (`*`).",
  );
}

/** The same error whether or not the index exists. A token's holder must not learn what its key may do. */
function indexRefused(uid: string, allowed: readonly string[], rules: SearchRules | null): ApiError {
  const list = (patterns: Iterable<string>) => JSON.stringify([...patterns].toSorted());
  if (rules === null) {
    return new ApiError(
      "invalid_api_key",
      `The API key cannot access the index \`${uid}\`, authorized indexes are ${list(allowed)}.`,
    );
  }
  if (ruleFor(rules, uid) !== null) {
    return new ApiError(
      "invalid_api_key",
      `The API key used to generate this tenant token cannot access the index \`${uid}\`.`,
    );
  }
  return new ApiError(
    "invalid_api_key",
    `The provided tenant token cannot access the index \`${uid}\`, allowed indexes are ${list(rules.keys())}.`,
  );
}
