/** Environment variables: each room declares its own. The documentation's table is made from all of them. */
import { z } from "zod";
import { parseDuration, parseSize, UNIT_MS } from "./durations.ts";

export interface Variable<Schema extends z.ZodType = z.ZodType> {
  /** Parses the value. A default is given with `prefault`: the text that an operator would write. */
  schema: Schema;
  /** Description for the documentation, in a sentence or two. */
  about: string;
  /** An example value. */
  example?: string;
  /** The documentation's name of the default, if the schema does not have it. */
  default?: string;
  /** The part of `content/facts/parts.yaml` without which it has no effect. */
  part?: string;
  /** Variables without which it has no effect. */
  needs?: readonly string[];
  /** Parts of the value that must never be written anywhere. */
  secrets?: (value: never) => readonly string[];
}

export type Variables = { [name: string]: Variable };

/** The parsed values of `Declared`. */
export type Values<Declared extends Variables> = z.output<
  z.ZodObject<{ [Name in keyof Declared]: Declared[Name]["schema"] }>
>;

/** For keys and tokens, which are secret as a whole. */
export const whole = (value: string): readonly string[] => [value];

/** Passwords within an address, both encoded and decoded. */
export function passwordsOf(address: string): string[] {
  const { password, searchParams } = new URL(address);
  return [password, decode(password), searchParams.get("password") ?? ""].filter((value) => value !== "");
}

/** A password with a plain % is not encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param error names the bounds and an example. @returns milliseconds */
export const duration = (min: number, max: number, error: string) =>
  z
    .string()
    .transform((value) => parseDuration(value) ?? Number.NaN)
    .refine((ms) => ms >= min && ms <= max, { error });

/** @param error names the bounds and an example. @returns bytes */
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

/** `a, b`: without empty items. */
export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== ""),
);

/** Wraps one of our own parsers. @param problem makes the message from its error @returns a schema */
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
