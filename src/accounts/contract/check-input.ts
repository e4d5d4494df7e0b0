/** The allowed content of requests. Fields are named as the API spells them. */
import {
  MAX_MAIL_LENGTH,
  MAX_NAME_LENGTH,
  MAX_ORGANIZATION_NAME_LENGTH,
  MAX_PROJECT_NAME_LENGTH,
} from "./limits.ts";
import { Refused } from "./refused.ts";
import type { Role } from "../records/schema.ts";

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** One @, a domain with a dot or a machine's name, and no characters that headers or markup could misread. */
const MAIL = /^[^\s@<>()[\]\\,;:"\p{C}]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/u;
/** Controls, line separators, and characters that change the text direction; a joiner within an emoji may stay. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;

/** Addresses of the site, now or later, and misleading words. No organization may have these names. */
const RESERVED_NAMES = new Set(
  `about account accounts admin api app apps assets auth billing blog blobs brand builds cache careers changelog
  compare console contact customers cli dev device docs download downloads enterprise errors events favicon feed
  feedback fonts grpc health healthz help home icons images indexes ingest insights install integrations invite join
  legal library llms login logout mail managed mcp me metrics millrace mirror multi-search new news null oauth oidc
  operator organization organizations org orgs partners ping press pricing privacy products project projects public
  readyz registry robots root rss runners saml search security self server session sessions settings setup share
  sign-in sign-out sign-up signin signout signup sitemap static start status styles support system team teams terms
  token tokens undefined usage user users v1 v2 v3 webhook webhooks well-known www x-token your-data`.split(
    /\s+/,
  ),
);

export function invalid(field: string, message: string): Refused {
  return new Refused("invalid_argument", message, { field });
}

/** For people, tokens and passkeys: any visible text, without spaces around it. */
export function checkName(text: string, field: string): string {
  const name = text.trim().normalize("NFC");
  if (name === "") throw invalid(field, `${field} is missing`);
  if (name.length > MAX_NAME_LENGTH)
    throw invalid(field, `${field} has ${name.length} characters; ${MAX_NAME_LENGTH} are allowed`);
  if (UNSEEN.test(name) || !name.isWellFormed())
    throw invalid(field, `${field} has invisible characters; remove them`);
  return name;
}

export function checkOrganizationName(name: string): string {
  checkSlug(name, MAX_ORGANIZATION_NAME_LENGTH);
  if (RESERVED_NAMES.has(name)) throw invalid("name", `"${name}" is reserved; choose another name`);
  return name;
}

export function checkProjectName(name: string): string {
  return checkSlug(name, MAX_PROJECT_NAME_LENGTH);
}

function checkSlug(name: string, maxLength: number): string {
  if (name === "") throw invalid("name", "name is missing");
  if (name.length > maxLength)
    throw invalid("name", `name has ${name.length} characters; ${maxLength} are allowed`);
  if (!SLUG.test(name))
    throw invalid(
      "name",
      "name must consist of lower-case letters and digits, with single dashes between them",
    );
  return name;
}

/** @returns the address in lower case */
export function checkMail(text: string): string {
  const mail = text.trim().toLowerCase();
  if (mail.length > MAX_MAIL_LENGTH || !MAIL.test(mail) || mail.includes("..") || !mail.isWellFormed())
    throw invalid("mail", "mail must be an address such as ada@acme.example");
  return mail;
}

export function checkRole(role: string): Role {
  if (role !== "owner" && role !== "member") throw invalid("role", "role must be owner or member");
  return role;
}

/** A whole number from a request. */
export function checkNumber(
  value: number,
  field: string,
  { min, max }: { min: number; max: number },
): number {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw invalid(field, `${field} is ${value}; it must be from ${min} to ${max}`);
  return value;
}
