/** Whether a person has hidden the first-run checklist, for each organization, in this browser. */

const keyOf = (organizationId: string) => `millrace-checklist-hidden:${organizationId}`;
const listeners = new Set<() => void>();
/** Without storage in the browser, the choice lasts as long as the page. */
const chosen = new Map<string, boolean>();

export function isChecklistHidden(organizationId: string): boolean {
  const here = chosen.get(organizationId);
  if (here !== undefined) return here;
  try {
    return localStorage.getItem(keyOf(organizationId)) !== null;
  } catch {
    return false;
  }
}

export function setChecklistHidden(organizationId: string, isHidden: boolean): void {
  chosen.set(organizationId, isHidden);
  try {
    if (isHidden) localStorage.setItem(keyOf(organizationId), "1");
    else localStorage.removeItem(keyOf(organizationId));
  } catch {}
  for (const listener of listeners) listener();
}

export function watchChecklist(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
