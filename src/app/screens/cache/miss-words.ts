import type { CacheDifference, CacheMiss } from "#api/gen/json-types.ts";
import { formatAgo } from "../../format.ts";

const REMOVED: { readonly [because: string]: string } = {
  quota: "to stay within the quota",
  unused: "because it was unused for a long time",
  reset: "when the cache was reset",
  purge: "when its writer's entries were purged",
};

/** The reason for the miss, in one or two sentences. Differences follow a colon. */
export function explainMiss({
  reason,
  removed_because: because,
  differences,
  missed_at: missedAt,
  nearest_at: nearestAt,
}: CacheMiss): string {
  if (reason === "removed") return `It was here and was removed ${REMOVED[because] ?? "since"}.`;
  if (reason === "incomplete") return "It was here, but a file that it refers to was not.";
  const before = describeBefore(nearestAt, missedAt);
  if (reason !== "changed") {
    const isNew = "There is no similar entry: this work is new here.";
    return differences.length > 0 ? `${isNew} Another commit stored its results${before}:` : isNew;
  }
  return differences.length > 0
    ? `The same work had a result${before}, but this differs now:`
    : `The same work had a result${before} under another key.`;
}

/** " 12 minutes before"; "" when unknown. */
function describeBefore(nearest = "", missed = ""): string {
  const [at, from] = [Date.parse(nearest), Date.parse(missed)];
  if (Number.isNaN(at) || Number.isNaN(from)) return "";
  const ago = formatAgo(at, from);
  return ago === "just now" ? " just before" : ` ${ago.replace(/ago$/, "before")}`;
}

/** A difference: "environment LANG: nothing, now C". */
export function describeDifference({ kind, name, before, after }: CacheDifference): {
  what: string;
  change: string;
} {
  const what = [kind, name].filter((part) => part !== "").join(" ");
  if (before === after) return { what, change: before === "" ? "differs" : "differs, its value is hidden" };
  return { what, change: `${before || "nothing"}, now ${after || "nothing"}` };
}
