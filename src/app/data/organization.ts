/** The page's organization, and the person's rights in it. */
import { createContext, use } from "react";
import type { AuthState, Membership, SignedInUser } from "./answers.ts";

export interface Here {
  state: AuthState;
  user: SignedInUser;
  /** From the address; on pages without an organization, the one viewed last. Null: the person has none. */
  organization: Membership | null;
}

export const HereContext = createContext<Here | null>(null);

/** For use inside the frame. */
export function useHere(): Here {
  const here = use(HereContext);
  if (!here) throw new Error("useHere() outside of the frame.");
  return here;
}

/** For screens of an organization: the frame shows them only with one. */
export function useOrganization(): Membership & { isOwner: boolean } {
  const { organization } = useHere();
  if (!organization) throw new Error("A screen of an organization was shown without one.");
  return { ...organization, isOwner: organization.role === "owner" };
}
