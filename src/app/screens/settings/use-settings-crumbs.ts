import { useMemo } from "react";
import { useOrganization } from "../../data/organization.ts";
import type { Crumb } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";

/** "Settings" above each of its screens. */
export function useSettingsCrumbs(): readonly Crumb[] {
  const { name } = useOrganization();
  return useMemo(() => [{ label: "Settings", to: addressOf(name, "settings/members") }], [name]);
}
