import { useQuery } from "@tanstack/react-query";
import { useHere } from "../../data/organization.ts";
import { membersQuery } from "../../data/queries.ts";

/** The person's ways to sign in, from the list of members; undefined without an organization. */
export function useOwnSignInMethods(): readonly string[] | undefined {
  const { user, organization } = useHere();
  const { data } = useQuery({ ...membersQuery(organization?.name ?? ""), enabled: organization !== null });
  return data?.find(({ user_id: id }) => id === user.id)?.sign_in_methods;
}
