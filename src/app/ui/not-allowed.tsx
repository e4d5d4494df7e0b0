import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../data/organization.ts";
import { membersQuery } from "../data/queries.ts";
import { Icon } from "./icon.tsx";

/** @param what verb and object: "read the audit log" */
export function NotAllowed({ what }: { what: string }) {
  const { name } = useOrganization();
  const { data: members = [] } = useQuery(membersQuery(name));
  const owners = members.filter(({ role }) => role === "owner").map((member) => member.name);
  return (
    <div className="panel empty">
      <h2 className="row">
        <Icon name="lock" />
        Owners {what}
      </h2>
      <p>
        You are a member of {name}. {owners.join(" and ")} can do it, or make you an owner.
      </p>
    </div>
  );
}
