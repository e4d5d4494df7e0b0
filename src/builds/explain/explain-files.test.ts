/**
 * 1. A missing layer is reported as lost when no file differs, with the reason if the records have it.
 * 2. Times of files make no difference; permissions do; files that were not seen are reported as unknown.
 */
import { expect, test } from "vitest";
import {
  type BuildRecord,
  explainAmong,
  files,
  makeBuild,
  makeSteps,
  recipe,
  seenFile,
} from "../testing/explained-builds.ts";
import type { CacheHistory, SeenFile } from "./types.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NAMES = ["[1/2] RUN npm ci", "[2/2] COPY src ./src"];
const makeRecord = (prefix: string, parts: Partial<BuildRecord> = {}) =>
  makeBuild({
    steps: makeSteps(
      prefix,
      NAMES.map((name, index) => ({ name, isCached: index === 0 })),
    ),
    files: files({ "src/a.ts": "1" }),
    recipe: {
      steps: { [`${prefix}2`]: recipe({ reads: [{ context: "context", paths: ["src"] }] }) },
      sources: {},
    },
    ...parts,
  });
const earlier = makeRecord("e");

test("1. why a layer was lost", async () => {
  const again = makeRecord("l", { id: "bld_2", createdAt: 20 * DAY_MS });
  const tell = (history: CacheHistory, before = [earlier]) => explainAmong(again, "l2", before, { history });
  const at = (platform: string, days: number) => ({
    resets: [{ platform, at: days * DAY_MS }],
    overflows: [],
    unusedDays: 30,
  });
  const full = (days: number, platform = "linux/amd64") => ({
    resets: [],
    overflows: [{ platform, at: days * DAY_MS }],
    unusedDays: 30,
  });
  const whyOf = async (history: CacheHistory) => (await tell(history))?.causes[0]?.after;
  expect(await whyOf(at("", 5))).toBe("reset 1970-01-06T00:00:00.000Z");
  expect(await whyOf(at("linux/amd64", 5))).toBe("reset 1970-01-06T00:00:00.000Z");
  expect(await whyOf(at("linux/arm64", 5))).toBe("");
  expect(await whyOf(at("", 21))).toBe("");
  expect((await tell(full(5)))?.summary).toMatch(
    /is no longer in the cache, which was full at 1970-01-06T00:00:00.000Z: a full cache removes the least recently used layers\.$/,
  );
  expect(await whyOf({ ...full(5), resets: at("", 5).resets })).toBe("reset 1970-01-06T00:00:00.000Z");
  for (const other of [full(5, "linux/arm64"), full(21)]) expect(await whyOf(other)).toBe("");
  const unused = { resets: [], overflows: full(5).overflows, unusedDays: 14 };
  expect((await tell(unused))?.summary).toMatch(/is no longer in the cache: it was unused for 14 days\.$/);
  const [moved, stayed] = ["one", "two"].map((server) => [{ ...earlier, server }]);
  const later = { ...again, server: "two" };
  const none = { resets: [], overflows: [], unusedDays: 30 };
  expect((await explainAmong(later, "l2", moved!, { history: none }))?.summary).toMatch(
    /: it was on another server, which could not build\.$/,
  );
  expect((await explainAmong(later, "l2", stayed!, { history: none }))?.causes[0]?.after).toBe("");
  const used = makeBuild({ id: "bld_3", createdAt: 15 * DAY_MS, branch: "other" });
  expect((await tell(unused, [used, earlier]))?.causes).toMatchObject([
    { kind: "lost", after: "full 1970-01-06T00:00:00.000Z" },
  ]);
});

test("2. files whose times differ, and whose permissions do", async () => {
  const seen = (file: Partial<SeenFile>) => ({
    context: { isWhole: true, files: new Map([["src/a.ts", seenFile(file)]]) },
  });
  const first = { ...earlier, files: seen({ digest: "1", modifiedAt: "1" }) };
  const causeOf = async (file: Partial<SeenFile>) =>
    (await explainAmong(makeRecord("l", { id: "bld_2", createdAt: 1, files: seen(file) }), "l2", [first]))
      ?.causes[0];
  expect((await causeOf({ digest: "1", modifiedAt: "2" }))?.kind).toBe("lost");
  expect((await causeOf({ digest: null, modifiedAt: "1" }))?.kind).toBe("lost");
  expect(await causeOf({ digest: null, modifiedAt: "2" })).toMatchObject({
    kind: "unknown",
    name: "src/a.ts",
  });
  expect((await causeOf({ digest: "2", modifiedAt: "1" }))?.kind).toBe("file");
  expect(await causeOf({ digest: "1", mode: 0o755 })).toMatchObject({
    before: "mode 0644",
    after: "mode 0755",
  });
});
