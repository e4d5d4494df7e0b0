/** Values of build arguments that look like secrets: in what is kept of a build, `***` stands for them. */
import { MAX_ARGUMENT_LENGTH, MAX_ARGUMENTS, MAX_SECRETS, MAX_SECRETS_LENGTH } from "../limits.ts";

export const MASKED = "***";
/** Shorter ones would mask half of the log. */
const MIN_SECRET_LENGTH = 6;
const SECRET_NAME = /secret|token|passw|passphrase|credential|api_?key|private_?key|access_?key|auth/i;
/** The beginnings of well-known kinds of tokens. */
const SECRET_VALUE = /^(?:mr_|gh[opsu]_|github_pat_|glpat-|xox[abp]-|sk-|AKIA|eyJ)/;
const SCHEME = /^[a-z][a-z+.-]{0,20}:\/\//;

export interface MaskedArguments {
  arguments: Record<string, string>;
  /** As they are. */
  secrets: readonly string[];
}

export const looksSecret = (name: string, value: string): boolean =>
  value !== "" && (SECRET_NAME.test(name) || SECRET_VALUE.test(value) || hasPassword(value));

/** `https://ada:secret@…` */
function hasPassword(value: string): boolean {
  const scheme = SCHEME.exec(value)?.[0];
  if (scheme === undefined) return false;
  const [authority = ""] = value.slice(scheme.length).split("/", 1);
  const end = authority.lastIndexOf("@");
  return end > 0 && authority.slice(0, end).includes(":");
}

export function maskArguments(given: Readonly<Record<string, string>>): MaskedArguments {
  const masked: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const isSecret = looksSecret(name, value);
    if (isSecret && value.length >= MIN_SECRET_LENGTH) secrets.push(value);
    if (Object.keys(masked).length >= MAX_ARGUMENTS) continue;
    masked[name.slice(0, MAX_ARGUMENT_LENGTH)] = isSecret ? MASKED : value.slice(0, MAX_ARGUMENT_LENGTH);
  }
  return { arguments: masked, secrets };
}

/**
 * From now on these are masked, too. A log is masked line by line, so of a key with several lines each is one.
 * @throws Error when there are too many to look for in each line of a log
 */
export function addSecrets(known: Set<string>, secrets: Iterable<string>): void {
  const all = new Set(known);
  for (const secret of secrets)
    for (const part of [secret, ...secret.split(/[\r\n]+/)])
      if (part.length >= MIN_SECRET_LENGTH) all.add(part);
  const length = [...all].reduce((sum, each) => sum + each.length, 0);
  if (all.size > MAX_SECRETS || length > MAX_SECRETS_LENGTH)
    throw new Error(
      `A build masks at most ${MAX_SECRETS} lines and ${MAX_SECRETS_LENGTH / 1024} KB of build arguments that look like secrets. Pass secrets with --secret.`,
    );
  if (all.size === known.size) return;
  known.clear();
  // One that begins another would leave the other's end.
  for (const secret of [...all].toSorted((a, b) => b.length - a.length)) known.add(secret);
}

/** @param secrets in the order in which `addSecrets` leaves them */
export function maskText(text: string, secrets: ReadonlySet<string>): string {
  if (secrets.size === 0 || text.length < MIN_SECRET_LENGTH) return text;
  const { long, expression } = readMatcher(secrets);
  let masked = text;
  for (const secret of long) if (secret.length <= masked.length) masked = masked.replaceAll(secret, MASKED);
  return masked.replace(expression, MASKED);
}

/** Longer ones, of which there are few, are looked for one by one: as part of an expression they would make it slow. */
const MAX_EXPRESSION_LENGTH = 1024;

interface Matcher {
  size: number;
  long: readonly string[];
  /** All others at once: a client may have a thousand, and a log a million short lines. */
  expression: RegExp;
}
const matchers = new WeakMap<ReadonlySet<string>, Matcher>();

function readMatcher(secrets: ReadonlySet<string>): Matcher {
  const known = matchers.get(secrets);
  // Secrets are added, and never taken away.
  if (known?.size === secrets.size) return known;
  const all = [...secrets];
  const short = all.filter((secret) => secret.length <= MAX_EXPRESSION_LENGTH);
  const matcher = {
    size: secrets.size,
    long: all.filter((secret) => secret.length > MAX_EXPRESSION_LENGTH),
    expression: short.length === 0 ? NOTHING : new RegExp(short.map(quote).join("|"), "g"),
  };
  matchers.set(secrets, matcher);
  return matcher;
}

const NOTHING = /(?!)/g;
const quote = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
