/** The project whose images were viewed last: its id, by the organization's id. */
const nameOf = (organizationId: string) => `millrace-images:${organizationId}`;

export function keepRepository(organizationId: string, projectId: string): void {
  try {
    localStorage.setItem(nameOf(organizationId), projectId);
  } catch {}
}

export function readRepository(organizationId: string): string | null {
  try {
    return localStorage.getItem(nameOf(organizationId));
  } catch {
    return null;
  }
}
