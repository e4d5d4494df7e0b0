/** A person's own data and their organization's, checked before sending; the server decides. */

import type { Refusal } from "../data/ask-server.ts";

export const MAX_NAME_LENGTH = 80;
export const MAX_MAIL_LENGTH = 254;
export const MAX_ORGANIZATION_LENGTH = 39;

export interface Person {
  name: string;
  mail: string;
}

export type FieldErrors = Partial<Record<"organization" | "name" | "mail", string>>;

/** This page's error for each field, otherwise the server's. */
export function errorsOf(found: FieldErrors, failure: Refusal | null): FieldErrors {
  if (!failure?.field) return found;
  return { [failure.field]: failure.message, ...found };
}

/** `acme-labs` for a typed "Acme Labs". */
export function asOrganizationName(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]+/g, "-");
}

export function checkOrganization(name: string): string | undefined {
  if (name === "") return "Enter a name for the organization.";
  if (name.length > MAX_ORGANIZATION_LENGTH) return `At most ${MAX_ORGANIZATION_LENGTH} characters.`;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return "Use a to z, 0 to 9, and single hyphens between them.";
  return undefined;
}

/** @param needsMail links are sent there, so it cannot be left out */
export function checkPerson({ name, mail }: Person, needsMail: boolean): FieldErrors {
  const errors: FieldErrors = {};
  if (name.trim() === "") errors.name = "Enter the name that others see.";
  if (mail.trim() === "" && needsMail) errors.mail = "Enter the address to send the link to.";
  else if (mail.trim() !== "" && !/^[^\s@]+@[^\s@]+$/.test(mail.trim()))
    errors.mail = "Enter a valid mail address.";
  return errors;
}

/** In the server's form: without a mail address when none was given. */
export function personBody({ name, mail }: Person): { name: string; mail?: string } {
  return { name: name.trim(), ...(mail.trim() && { mail: mail.trim() }) };
}
