import type { CacheDifference, CacheMiss } from "#api/gen/json-types.ts";

const REMOVED: { readonly [because: string]: string } = {
  quota: "to stay within the quota",
  unused: "because nobody had used it for long",
  reset: "when the cache was reset",
  purge: "when what its writer had written was purged",
};

/** Why it missed, in one sentence. */
export function explainMiss({ reason, removed_because: because, differences }: CacheMiss): string {
  if (reason === "removed") return `It was here, and was removed ${REMOVED[because] ?? "since"}.`;
  if (reason === "incomplete") return "It was here, and a file that it names was not.";
  if (reason !== "changed") return "Nothing like it is known: this work is new here.";
  return differences.length > 0
    ? "The same work had a result, and its inputs differ now:"
    : "The same work had a result under another key.";
}

/** What differs: "environment LANG: nothing, now C". */
export function describeDifference({ kind, name, before, after }: CacheDifference): {
  what: string;
  change: string;
} {
  const what = [kind, name].filter((part) => part !== "").join(" ");
  if (before === after) return { what, change: before === "" ? "differs" : "differs, its value is hidden" };
  return { what, change: `${before || "nothing"}, now ${after || "nothing"}` };
}
