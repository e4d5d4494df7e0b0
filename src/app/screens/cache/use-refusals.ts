import { useQuery } from "@tanstack/react-query";
import { useLatestEvents } from "../../data/live.ts";
import { firstRunQuery, mergeLatest } from "../overview/first-run.ts";
import { type Refusal, readRefusal } from "./refusals.ts";

/** Recent refusals at the tools' addresses, the newest last, as far as this person may read them. */
export function useRefusals(organization: string): {
  read: { isPending: boolean; failureCount: number };
  refusals: Refusal[];
} {
  const read = useQuery(firstRunQuery(organization));
  const live = useLatestEvents(organization);
  const refusals = mergeLatest(read.data?.heard ?? [], live).flatMap((event) => readRefusal(event) ?? []);
  return { read, refusals };
}
