import { useCallback, useSyncExternalStore } from "react";
import { setChecklistHidden, isChecklistHidden, watchChecklist } from "./checklist-hidden.ts";

export function useChecklistHidden(organizationId: string): [boolean, (isHidden: boolean) => void] {
  const isHidden = useSyncExternalStore(watchChecklist, () => isChecklistHidden(organizationId));
  const setHidden = useCallback(
    (next: boolean) => setChecklistHidden(organizationId, next),
    [organizationId],
  );
  return [isHidden, setHidden];
}
