/** A dynamic search rule, in Meilisearch's form: on which searches it acts, and which documents it pins at which places. */
import * as z from "zod";
import { ApiError } from "../protocol/errors.ts";
import { closedObject, count, flag, list, shortText } from "../protocol/fields.ts";
import { isIndexUid } from "../protocol/index-uid.ts";
import {
  MAX_PIN_RULES,
  MAX_PINNED_ID_LENGTH,
  MAX_RULE_PINS,
  MAX_RULE_TEXT_LENGTH,
  MAX_UID_LENGTH,
} from "../protocol/limits.ts";
import { validate, type ValidationContext } from "../protocol/validate.ts";

/** Stored in the catalog as JSON: a new version must understand what an older one has written. */
export interface Rule {
  uid: string;
  description?: string;
  /** The rule with the lowest number comes first, those without one last. */
  precedence?: number;
  active: boolean;
  /** ISO 8601. */
  lastUpdatedAt: string;
  conditions: RuleConditions;
  actions: RuleAction[];
}

/** All of them must be true. */
interface RuleConditions {
  /** `isEmpty`: whether the query has no words. `words`: the query has all of these, in any order. */
  query?: { isEmpty?: boolean; words?: string };
  /** RFC 3339, both ends included. */
  time?: { start?: string; end?: string };
}

export interface RuleAction {
  /** Without an index: the document of every index that has one with this id. */
  selector: { indexUid?: string; id: string };
  /** The first place is 0. */
  action: { type: "pin"; position: number };
}

/** What a request changes: null takes an attribute back to its default, absence leaves it. */
export interface RuleChange {
  description?: string | null | undefined;
  precedence?: number | null | undefined;
  active?: boolean | null | undefined;
  conditions?: RuleConditions | null | undefined;
  actions?: RuleAction[] | null | undefined;
}

const moment = z.iso.datetime({ offset: true, error: "expected a date and time of RFC 3339." });
const words = shortText(MAX_RULE_TEXT_LENGTH).refine((text) => text.trim() !== "", "expected a word.");

const conditions = closedObject({
  query: closedObject({ isEmpty: flag.nullish(), words: words.nullish() })
    .refine(
      (query) => query.isEmpty !== true || query.words == null,
      "either `isEmpty` or `words` can be used, not both at once",
    )
    .nullish(),
  time: closedObject({ start: moment.nullish(), end: moment.nullish() })
    .refine(
      ({ start, end }) => start == null || end == null || Date.parse(start) <= Date.parse(end),
      "`start` is after `end`.",
    )
    .nullish(),
});

const action = closedObject({
  selector: closedObject({
    indexUid: shortText(MAX_UID_LENGTH).refine(isIndexUid, "expected the uid of an index.").nullish(),
    id: shortText(MAX_PINNED_ID_LENGTH).min(1, "expected the id of a document."),
  }),
  action: closedObject({ type: z.enum(["pin"], "a string"), position: count }),
});

const changeSchema = closedObject({
  description: shortText(MAX_RULE_TEXT_LENGTH).nullish(),
  precedence: count.nullish(),
  active: flag.nullish(),
  conditions: conditions.nullish(),
  actions: list(action, MAX_RULE_PINS).nullish(),
});

const CODES = new Set(["description", "precedence", "active", "conditions", "actions"]);

const context: ValidationContext = {
  codeOf: ([field]) =>
    CODES.has(String(field)) ? `invalid_dynamic_search_rule_${String(field)}` : "bad_request",
};

/** @throws ApiError */
export function parseRuleChange(json: unknown): RuleChange {
  const { conditions, actions, ...others } = validate(changeSchema, json, context);
  return {
    ...others,
    ...(conditions !== undefined && { conditions: conditions && withoutNulls(conditions) }),
    ...(actions !== undefined && { actions: actions && actions.map(withoutNulls) }),
  };
}

/** The rule after the change; of a rule that does not exist yet, what the change leaves open is the default. */
export function changeRule(
  uid: string,
  before: Rule | undefined,
  { change, at }: { change: RuleChange; at: string },
): Rule {
  const { description = before?.description, precedence = before?.precedence } = change;
  const active = change.active === undefined ? before?.active : change.active;
  const conditions = change.conditions === undefined ? before?.conditions : change.conditions;
  const actions = change.actions === undefined ? before?.actions : change.actions;
  return {
    uid,
    ...(description != null && { description }),
    ...(precedence != null && { precedence }),
    active: active ?? true,
    lastUpdatedAt: at,
    conditions: conditions ?? {},
    actions: actions ?? [],
  };
}

/** @throws ApiError */
export function checkRuleUid(uid: string): void {
  if (isIndexUid(uid)) return;
  throw new ApiError(
    "invalid_dynamic_search_rule_uid",
    `\`${uid.slice(0, MAX_UID_LENGTH)}\` is not a valid uid of a rule: it has letters, digits, hyphens (-) and underscores (_), at most ${MAX_UID_LENGTH}.`,
  );
}

export const ruleNotFound = (uid: string) =>
  new ApiError("dynamic_search_rule_not_found", `Dynamic search rule \`${uid}\` not found.`);

export const tooManyRules = () =>
  new ApiError(
    "too_many_dynamic_search_rules",
    `There are ${MAX_PIN_RULES} dynamic search rules, the maximum for this server. Delete one first.`,
  );

type WithoutNulls<T> = T extends object ? { [Name in keyof T]: WithoutNulls<Exclude<T[Name], null>> } : T;

/** Clients send null for what is not given. */
function withoutNulls<T extends object>(value: T): WithoutNulls<T> {
  const entries = Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
    item == null ? [] : [[name, typeof item === "object" ? withoutNulls(item) : item]],
  );
  // The schema has checked every part; only its nulls are gone.
  return Object.fromEntries(entries) as WithoutNulls<T>;
}
