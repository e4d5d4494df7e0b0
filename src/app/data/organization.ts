/** Which organization the page is about, and what the person may do in it. */
import { createContext, use } from "react";
import type { AuthState, Membership, SignedInUser } from "./answers.ts";

export interface Here {
  state: AuthState;
  user: SignedInUser;
  /** Of the address; on pages that belong to no organization, the one that was looked at last. Null: the person has none. */
  organization: Membership | null;
}

export const HereContext = createContext<Here | null>(null);

/** Inside the frame. */
export function useHere(): Here {
  const here = use(HereContext);
  if (!here) throw new Error("useHere() outside of the frame.");
  return here;
}

/** For screens of an organization: the frame shows them only where there is one. */
export function useOrganization(): Membership & { isOwner: boolean } {
  const { organization } = useHere();
  if (!organization) throw new Error("A screen of an organization was shown without one.");
  return { ...organization, isOwner: organization.role === "owner" };
}
