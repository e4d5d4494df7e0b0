/** The address's parameters as the server's filters. */
import type { OrganizationServiceListAuditEventsRequest } from "#api/gen/json-types.ts";

export const WHEN_OPTIONS = [
  { value: "today", label: "today" },
  { value: "yesterday", label: "yesterday" },
  { value: "7d", label: "the last 7 days" },
  { value: "30d", label: "the last 30 days" },
] as const;

const MAX_QUERY_LENGTH = 200;

/** Times are whole minutes, so that the same address is the same query for a while. */
export function toAuditRequest(
  params: URLSearchParams,
  now = new Date(),
): Pick<
  OrganizationServiceListAuditEventsRequest,
  "query" | "actor_id" | "action" | "address" | "from" | "to"
> {
  const get = (name: string) => params.get(name)?.trim() ?? "";
  const query = get("q").slice(0, MAX_QUERY_LENGTH);
  const [person, action, address] = [get("person"), get("action"), get("from")];
  return {
    ...(query !== "" && { query }),
    ...(person !== "" && { actor_id: person }),
    ...(action !== "" && { action }),
    ...(address !== "" && { address }),
    ...readRange(get("when"), now),
  };
}

function readRange(when: string, now: Date): { from?: string; to?: string } {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const before = (days: number) => {
    const day = new Date(today);
    day.setDate(day.getDate() - days);
    return day.toISOString();
  };
  if (when === "today") return { from: before(0) };
  if (when === "yesterday") return { from: before(1), to: before(0) };
  if (when === "7d") return { from: before(6) };
  if (when === "30d") return { from: before(29) };
  return {};
}
