import { useQuery } from "@tanstack/react-query";
import type { Member } from "#api/gen/json-types.ts";
import { useOrganization } from "../data/organization.ts";
import { membersQuery } from "../data/queries.ts";
import { EmptyState } from "./empty-state.tsx";

/** Further names become "and 3 others". */
const MAX_NAMED = 3;

/** @param what verb and object: "read the audit log" */
export function NotAllowed({ what }: { what: string }) {
  const { name } = useOrganization();
  const { data = [] } = useQuery(membersQuery(name));
  const owners = data.filter(({ role }) => role === "owner");
  return (
    <EmptyState icon="lock" title={`Owners ${what}`}>
      <p>
        You are a member of <bdi>{name}</bdi>.{" "}
        {owners.length > 0
          ? `${listNames(owners)} ${owners.length === 1 ? "is its owner and" : "are its owners: they"} can do it, or make you an owner.`
          : "Its owners can do it, or make you an owner."}
      </p>
      <AskOwners owners={owners} what={what} />
    </EmptyState>
  );
}

function AskOwners({ owners, what }: { owners: readonly Member[]; what: string }) {
  const { name } = useOrganization();
  const asked = owners.filter(({ mail }) => mail !== "").slice(0, MAX_NAMED);
  if (asked.length === 0) return null;
  const to = asked.map(({ mail }) => encodeURIComponent(mail)).join(",");
  return (
    <a className="btn" href={`mailto:${to}?subject=${encodeURIComponent(`${name}: ${what}`)}`}>
      Ask {listNames(asked)}
    </a>
  );
}

/** "ada and ruth", "ada, ruth, mei and 2 others". */
function listNames(people: readonly { name: string }[]): string {
  const names = people.slice(0, MAX_NAMED).map((person) => person.name);
  const rest = people.length - names.length;
  if (rest > 0) return `${names.join(", ")} and ${rest} ${rest === 1 ? "other" : "others"}`;
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);
}
