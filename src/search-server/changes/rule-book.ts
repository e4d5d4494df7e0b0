/** The dynamic search rules: kept in the catalog, changed by tasks, and served with the indexes while the feature is on. */
import type { Catalog } from "../catalog/catalog.ts";
import type { RuleRowChange } from "../catalog/rule-rows.ts";
import type { SearchStore } from "../catalog/store.ts";
import { createPinning } from "../pins/pinning.ts";
import { changeRule, type Rule, type RuleChange, tooManyRules } from "../pins/rule.ts";
import { MAX_PIN_RULES } from "../protocol/limits.ts";
import type { PreparedBatch } from "./task-runner.ts";

/** Stored in the catalog as JSON. */
export type RuleWork =
  | { kind: "changeRule"; uid: string; change: RuleChange }
  | { kind: "removeRule"; uid: string }
  | { kind: "clearRules" };

export interface RuleBook {
  /** By name. */
  list: () => Rule[];
  get: (uid: string) => Rule | undefined;
  /** @throws ApiError */
  prepare: (work: RuleWork) => PreparedBatch;
  /** Serves the rules, or none while the feature is off. */
  serve: () => void;
}

interface RuleBookOptions {
  catalog: Catalog;
  store: SearchStore;
  builtIn: ReadonlySet<string>;
  clock: () => Date;
}

export function createRuleBook({ catalog, store, builtIn, clock }: RuleBookOptions): RuleBook {
  const rules = new Map(catalog.rules().map((rule) => [rule.uid, rule]));

  function serve(): void {
    const served = catalog.isOn("dynamicSearchRules") ? [...rules.values()] : [];
    store.pin(createPinning(served, { clock, builtIn }));
  }

  function apply(change: RuleRowChange): void {
    if (change.kind === "clear") rules.clear();
    else if (change.kind === "remove") rules.delete(change.uid);
    else rules.set(change.rule.uid, change.rule);
    serve();
  }

  function changeOf(work: RuleWork): RuleRowChange {
    if (work.kind === "clearRules") return { kind: "clear" };
    if (work.kind === "removeRule") return { kind: "remove", uid: work.uid };
    const before = rules.get(work.uid);
    if (!before && rules.size >= MAX_PIN_RULES) throw tooManyRules();
    return {
      kind: "put",
      rule: changeRule(work.uid, before, { change: work.change, at: clock().toISOString() }),
    };
  }

  return {
    list: () => [...rules.values()].toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
    get: (uid) => rules.get(uid),
    serve,
    prepare(work) {
      const change = changeOf(work);
      const details = work.kind === "clearRules" ? { deletedRules: rules.size } : { updatedRules: 1 };
      return { outcomes: [{ details }], rules: [change], apply: () => apply(change) };
    },
  };
}
