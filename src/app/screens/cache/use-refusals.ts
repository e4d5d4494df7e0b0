import { useQuery } from "@tanstack/react-query";
import { useHeard } from "../../data/live.ts";
import { firstRunQuery, mergeHeard } from "../overview/first-run.ts";
import { type Refusal, readRefusal } from "./refusals.ts";

/** Recent refusals at the tools' addresses, the newest last, as far as this person may read them. */
export function useRefusals(organization: string): {
  read: { isPending: boolean; failureCount: number };
  refusals: Refusal[];
} {
  const read = useQuery(firstRunQuery(organization));
  const live = useHeard(organization);
  const refusals = mergeHeard(read.data?.heard ?? [], live).flatMap((event) => readRefusal(event) ?? []);
  return { read, refusals };
}
