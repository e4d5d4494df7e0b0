/** Variables of the environment, as each room declares its own. The documentation's table is made from all of them. */
import { z } from "zod";
import { parseDuration, parseSize, UNIT_MS } from "./durations.ts";

export interface Variable<Schema extends z.ZodType = z.ZodType> {
  /** Reads the text that is set. With a default it is `prefault`, the text that an operator would write. */
  schema: Schema;
  /** What it does, in a sentence or two, for the documentation. */
  about: string;
  /** What an operator may write. */
  example?: string;
  /** How the documentation names the default, where the schema does not say it. */
  default?: string;
  /** The part of `content/facts/parts.yaml` without which it has no effect. */
  part?: string;
  /** Variables without which it means nothing. */
  needs?: readonly string[];
  /** Texts of the value that must never be written anywhere. */
  secrets?: (value: never) => readonly string[];
}

export type Variables = { [name: string]: Variable };

/** The values of `Declared` once they are read. */
export type Values<Declared extends Variables> = z.output<
  z.ZodObject<{ [Name in keyof Declared]: Declared[Name]["schema"] }>
>;

/** Of a key or a token, which is secret as a whole. */
export const whole = (value: string): readonly string[] => [value];

/** Passwords within an address, as written and as meant. */
export function passwordsOf(address: string): string[] {
  const { password, searchParams } = new URL(address);
  return [password, decode(password), searchParams.get("password") ?? ""].filter((value) => value !== "");
}

/** A password with a plain % is meant as it is written. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param error says the bounds and an example. @returns milliseconds */
export const duration = (min: number, max: number, error: string) =>
  z
    .string()
    .transform((value) => parseDuration(value) ?? Number.NaN)
    .refine((ms) => ms >= min && ms <= max, { error });

/** @param error says the bounds and an example. @returns bytes */
export const size = (min: number, max: number, error: string) =>
  z
    .string()
    .transform((value) => parseSize(value) ?? Number.NaN)
    .refine((bytes) => bytes >= min && bytes <= max, { error });

export const quota = size(
  10_000_000,
  1_000_000_000_000_000,
  "must be a size from 10MB to 1000TB, such as 50GB",
);

export const retention = duration(
  UNIT_MS.h,
  3650 * UNIT_MS.d,
  "must be a time from 1h to 3650d, such as 14d",
);

/** `a, b`: without what is empty. */
export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== ""),
);

/** What a parser of our own reads. @param problem of the error that it throws @returns a schema */
export const parsed = <Value>(parse: (text: string) => Value, problem: (reason: string) => string) =>
  z.string().transform((value, context) => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue(problem(error instanceof Error ? error.message : String(error)));
      return z.NEVER;
    }
  });

/** A service's address. Keys have their own variables, because addresses end up in logs. */
export const address = z
  .url({
    protocol: /^https?$/,
    error: "must be an address that starts with http:// or https://",
    abort: true,
  })
  .refine((value) => !/[?#]/.test(value) && new URL(value).username === "", {
    error: "must have no user name, ? or #",
  });

export const secret = z
  .string()
  .min(16, "must have at least 16 characters (openssl rand -hex 16 creates 32)");
