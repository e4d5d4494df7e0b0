/** The rows of the dynamic search rules, in the catalog's database. */
import type { DatabaseSync } from "node:sqlite";
import type { Rule } from "../pins/rule.ts";

export type RuleRowChange = { kind: "put"; rule: Rule } | { kind: "remove"; uid: string } | { kind: "clear" };

export function readRules(db: DatabaseSync): Rule[] {
  // Written by `changeRules`; the database checks its pages.
  return db
    .prepare("SELECT rule FROM rules ORDER BY uid")
    .all()
    .map(({ rule }) => JSON.parse(String(rule)) as Rule);
}

/** Several changes must run in a transaction. */
export function changeRules(db: DatabaseSync, changes: readonly RuleRowChange[]): void {
  for (const change of changes) {
    if (change.kind === "clear") db.exec("DELETE FROM rules");
    else if (change.kind === "remove") db.prepare("DELETE FROM rules WHERE uid = ?").run(change.uid);
    else
      db.prepare("INSERT OR REPLACE INTO rules VALUES (?, ?)").run(
        change.rule.uid,
        JSON.stringify(change.rule),
      );
  }
}
