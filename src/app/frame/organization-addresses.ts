import { withParams } from "../data/address.ts";
import { addressOf } from "../page/places.ts";

/**
 * The same place in another organization: its projects for projects. A single project, a filter or a selected row
 * belongs to the old organization.
 */
export function samePlaceIn(organization: string, pathname: string): string {
  const [, root, , place = "", inner = ""] = pathname.split("/");
  if (root !== "app" || !["projects", "images", "settings", "usage"].includes(place))
    return addressOf(organization, "");
  return addressOf(organization, place === "settings" && inner ? `settings/${inner}` : place);
}

/** The page with a question about its organization over it. */
export function organizationAddress(pathname: string, search: string, question: string): string {
  return pathname + withParams(new URLSearchParams(search), { do: question });
}
