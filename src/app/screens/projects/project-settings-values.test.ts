/**
 * 1. Sizes are in powers of 1,000, like on the command line, and a project's current value can always be chosen.
 * 2. Changes by others are named with the old and the new value; equal values are not named.
 * 3. Patterns of tags are separated by spaces or commas, and reported before the server would refuse them.
 */
import { expect, test } from "vitest";
import type { Project } from "#api/gen/json-types.ts";
import {
  builderChoices,
  cacheChoices,
  describeChanges,
  explainPatterns,
  patternText,
  readPatterns,
  retentionChoices,
} from "./project-settings-values.ts";

const GB = 1000 ** 3;
const web: Project = {
  id: "prj_7q4hx2n9ds",
  name: "web",
  builder_size: 4,
  cache_size_bytes: String(50 * GB),
  retention_days: 14,
  immutable_tags: [],
  trust_relationships: [],
  revision: "3",
};

test("1. choices", () => {
  // A size of an older release, in powers of 1,024.
  const sizes = cacheChoices(String(50 * 1024 ** 3)).map(({ label }) => label);
  expect(sizes).toEqual(["10 GB", "25 GB", "50 GB", "53.7 GB", "100 GB", "200 GB", "500 GB", "1 TB"]);
  expect(builderChoices(8).find(({ value }) => value === "8")?.label).toBe("8 CPUs, 32 GB");
  expect(cacheChoices(String(70 * GB)).map(({ label }) => label)).toContain("70 GB");
  expect(retentionChoices(45).map(({ value }) => value)).toEqual([
    "7",
    "14",
    "30",
    "45",
    "60",
    "90",
    "180",
    "365",
  ]);
  expect(retentionChoices(1)[0]?.label).toBe("1 day");
});

test("2. another's changes", () => {
  const trusted = [{ issuer: "https://gitlab.com", claims: {}, cache: "read" }];
  expect(describeChanges(web, web)).toEqual([]);
  expect(describeChanges(web, { ...web, builder_size: 8, revision: "4" })).toEqual([
    "The builder size is now 8 CPUs, 32 GB; it was 4 CPUs, 16 GB.",
  ]);
  expect(describeChanges(web, { ...web, name: "shop", trust_relationships: trusted })).toEqual([
    "The name is now shop; it was web.",
    "The trust relationships have changed.",
  ]);
});

test("3. patterns of tags", () => {
  expect(readPatterns(" 2026.*, v*  v* ")).toEqual(["2026.*", "v*"]);
  expect([readPatterns(""), patternText(["a", "b*"])]).toEqual([[], "a b*"]);
  for (const text of ["", "v*", "2026.* release-1_x", "x".repeat(128)])
    expect(explainPatterns(text)).toBeUndefined();
  for (const text of [
    "v/1",
    "<b>",
    "é",
    "x".repeat(129),
    Array.from({ length: 21 }, (_, n) => `v${n}`).join(" "),
  ])
    expect(explainPatterns(text)).toMatch(/\.$/);
  expect(describeChanges(web, { ...web, immutable_tags: ["v*"] })).toEqual([
    "The list of immutable tags is now v*; it was none.",
  ]);
});
