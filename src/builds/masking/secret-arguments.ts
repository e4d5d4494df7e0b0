/** Values of build arguments and contexts that look like secrets: stored data has `***` in their place. */
import { MAX_ARGUMENT_LENGTH, MAX_ARGUMENTS } from "../contract/limits.ts";
import { MASKED } from "./masker.ts";

const SECRET_NAME = /secret|token|passw|passphrase|credential|api_?key|private_?key|access_?key|auth/i;
/** Prefixes of well-known kinds of tokens. */
const SECRET_VALUE = /^(?:mr_|gh[opsu]_|github_pat_|glpat-|xox[abp]-|sk-|AKIA|eyJ)/;
const SCHEME = /^[a-z][a-z+.-]{0,20}:\/\//;
/** A name without a password before a host is a token from this length on. */
const MIN_TOKEN_LENGTH = 16;

export interface MaskedArguments {
  arguments: Record<string, string>;
  /** The values themselves. */
  secrets: readonly string[];
}

export const looksSecret = (name: string, value: string): boolean =>
  value !== "" && (SECRET_NAME.test(name) || SECRET_VALUE.test(value) || hasCredentials(value));

/** `https://ada:secret@…`, `https://token@…` */
export function hasCredentials(value: string): boolean {
  const scheme = SCHEME.exec(value)?.[0];
  if (scheme === undefined) return false;
  const [authority = ""] = value.slice(scheme.length).split("/", 1);
  const name = authority.slice(0, Math.max(0, authority.lastIndexOf("@")));
  return name.includes(":") || name.length >= MIN_TOKEN_LENGTH;
}

export function maskArguments(given: Readonly<Record<string, string>>): MaskedArguments {
  const masked: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const isSecret = looksSecret(name, value);
    if (isSecret) secrets.push(value);
    if (Object.keys(masked).length >= MAX_ARGUMENTS) continue;
    masked[name.slice(0, MAX_ARGUMENT_LENGTH)] = isSecret ? MASKED : value.slice(0, MAX_ARGUMENT_LENGTH);
  }
  return { arguments: masked, secrets };
}
