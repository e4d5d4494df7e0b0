import type { Membership } from "./answers.ts";

const KEPT = "millrace-organization";

/** The organization that an address names; without a name, the one viewed last. */
export function chooseOrganization(organizations: readonly Membership[], name?: string): Membership | null {
  if (name !== undefined) return organizations.find((each) => each.name === name || each.id === name) ?? null;
  const kept = readKept();
  return organizations.find((each) => each.id === kept) ?? organizations[0] ?? null;
}

export function keepOrganization({ id }: Membership): void {
  try {
    localStorage.setItem(KEPT, id);
  } catch {}
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
