/** The actions of keys, in Meilisearch's words. `area.*` is every action of an area, `*` every action. */
export const ACTIONS = [
  "*",
  "*.get",
  "search",
  "documents.*",
  "documents.add",
  "documents.get",
  "documents.delete",
  "indexes.*",
  "indexes.create",
  "indexes.get",
  "indexes.update",
  "indexes.delete",
  "indexes.swap",
  "tasks.*",
  "tasks.cancel",
  "tasks.delete",
  "tasks.get",
  "settings.*",
  "settings.get",
  "settings.update",
  "stats.*",
  "stats.get",
  "metrics.*",
  "metrics.get",
  "dumps.*",
  "dumps.create",
  "snapshots.*",
  "snapshots.create",
  "version",
  "keys.*",
  "keys.create",
  "keys.get",
  "keys.update",
  "keys.delete",
  "experimental.get",
  "experimental.update",
  "dynamicSearchRules.*",
  "dynamicSearchRules.get",
  "dynamicSearchRules.create",
  "dynamicSearchRules.update",
  "dynamicSearchRules.delete",
  "network.get",
  "network.update",
  "webhooks.*",
  "webhooks.get",
  "webhooks.create",
  "webhooks.update",
  "webhooks.delete",
  "chatCompletions",
  "chats.*",
  "chats.get",
  "chats.delete",
] as const;

export type Action = (typeof ACTIONS)[number];

/** Every action that the granted ones include, and the granted ones themselves. */
export function expandActions(granted: readonly Action[]): ReadonlySet<Action> {
  return new Set(ACTIONS.filter((action) => granted.some((one) => covers(one, action))));
}

function covers(granted: Action, action: Action): boolean {
  if (granted === "*" || granted === action) return true;
  // Reading keys reveals their values, so it is not part of this right.
  if (granted === "*.get") return action.endsWith(".get") && action !== "keys.get";
  return granted.endsWith(".*") && action.startsWith(granted.slice(0, -1));
}
