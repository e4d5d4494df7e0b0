/** Patterns of image tags that never move once they exist: `v*`. */
import { z } from "zod";
import { invalid } from "../contract/check-input.ts";
import { MAX_IMMUTABLE_TAGS, MAX_TAG_PATTERN_LENGTH } from "../contract/limits.ts";

const PATTERN = /^[A-Za-z0-9_.*-]+$/;
const FIELD = "immutable_tags";

export interface ImmutableTagsInput {
  immutableTags?: readonly string[];
  clearImmutableTags?: boolean;
}

/** The new list as a column; nothing when it is unchanged. @throws Refused */
export function checkImmutableTags({
  immutableTags: patterns = [],
  clearImmutableTags: isCleared = false,
}: ImmutableTagsInput): { immutable_tags?: string | null } {
  if (isCleared && patterns.length > 0)
    throw invalid("clear_immutable_tags", "send either immutable_tags or clear_immutable_tags");
  if (isCleared) return { immutable_tags: null };
  if (patterns.length === 0) return {};
  const all = [...new Set(patterns)];
  if (all.length > MAX_IMMUTABLE_TAGS)
    throw invalid(
      FIELD,
      `immutable_tags has ${all.length} patterns; at most ${MAX_IMMUTABLE_TAGS} are allowed`,
    );
  for (const pattern of all)
    if (!PATTERN.test(pattern) || pattern.length > MAX_TAG_PATTERN_LENGTH)
      throw invalid(
        FIELD,
        `immutable_tags has ${JSON.stringify(pattern.slice(0, MAX_TAG_PATTERN_LENGTH))}; a pattern must have 1 to ` +
          `${MAX_TAG_PATTERN_LENGTH} letters, digits, "_", "-" and ".", and "*" for any number of characters`,
      );
  return { immutable_tags: JSON.stringify(all) };
}

export function readImmutableTags(column: string | null): readonly string[] {
  return column === null ? [] : z.array(z.string()).parse(JSON.parse(column));
}
