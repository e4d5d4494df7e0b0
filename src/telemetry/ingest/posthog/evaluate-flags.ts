/**
 * Feature flags as PostHog evaluates them, so that moving there changes no reader's value.
 *
 *     hash("new-search", "reader-1") = first 15 hex digits of SHA-1("new-search.reader-1") / 0xfffffffffffffff
 *     on for 30 %: hash ≤ 0.3        variant: hash with the salt "variant" falls into one of the cumulated shares
 *
 * Source: posthog-js's server libraries, "feature_flags" (`_hash`, `get_matching_variant`).
 */
import { createHash } from "node:crypto";
import type { FlagDefinition, SurveyDefinition } from "../../contract/config.ts";

const HASH_DIGITS = 15;
/** 0xfffffffffffffff as a 64-bit float, in PostHog's own Python as here. */
const HASH_SCALE = 2 ** 60;

/** @returns a number from 0 to 1, always the same for the same flag and reader. */
export function flagHash(key: string, distinctId: string, salt = ""): number {
  const digest = createHash("sha1").update(`${key}.${distinctId}${salt}`).digest("hex");
  return Number.parseInt(digest.slice(0, HASH_DIGITS), 16) / HASH_SCALE;
}

export interface FlagReader {
  distinctId: string;
  /** The page, without query; null: unknown, and conditions on it do not hold. */
  path: string | null;
  /** Two or three letters: `en`. */
  language: string | null;
}

export interface FlagValue {
  key: string;
  value: string | boolean;
  reason: "condition_match" | "no_condition_match" | "out_of_rollout_bound" | "disabled";
}

export type Switch = Pick<
  FlagDefinition,
  "key" | "isActive" | "percentage" | "languages" | "paths" | "variants"
>;

export function evaluateFlag(flag: Switch, reader: FlagReader): FlagValue {
  const off = (reason: FlagValue["reason"]): FlagValue => ({ key: flag.key, value: false, reason });
  if (!flag.isActive) return off("disabled");
  if (!matches(flag, reader)) return off("no_condition_match");
  if (flag.percentage < 100 && flagHash(flag.key, reader.distinctId) > flag.percentage / 100)
    return off("out_of_rollout_bound");
  return { key: flag.key, value: chooseVariant(flag, reader.distinctId) ?? true, reason: "condition_match" };
}

function matches({ languages, paths }: Switch, reader: FlagReader): boolean {
  if (languages.length > 0 && !languages.includes(reader.language ?? "")) return false;
  const { path } = reader;
  return paths.length === 0 || (path !== null && paths.some((base) => isBelow(path, base)));
}

function isBelow(path: string, base: string): boolean {
  const folder = base.replace(/\/$/, "");
  return path === base || path === folder || path.startsWith(`${folder}/`);
}

function chooseVariant(flag: Switch, distinctId: string): string | null {
  const hash = flagHash(flag.key, distinctId, "variant");
  let lower = 0;
  for (const { key, percentage } of flag.variants) {
    const upper = lower + percentage / 100;
    if (hash >= lower && hash < upper) return key;
    lower = upper;
  }
  return null;
}

/** PostHog's way of showing a survey to a share of the readers: a flag that only the survey uses. */
export function surveyFlag(survey: SurveyDefinition): Switch {
  const { id, isActive, percentage, languages, paths } = survey;
  return { key: `survey-targeting-${id}`, isActive, percentage, languages, paths, variants: [] };
}
