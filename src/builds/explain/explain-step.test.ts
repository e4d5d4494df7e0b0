/**
 * 1. A single difference is named, whatever it is: file, argument, instruction, variable, base image, source, secret, platform,
 *    `--no-cache`, lost layer; a step that builds on it names it too.
 * 2. A step is compared with the nearest build in which it succeeded: preferably of the same target and branch, then the newest.
 * 3. What is unknown is reported as unknown: no files seen, no earlier build.
 * 4. Steps that were not supposed to be cached are not misses.
 * 5. Any build ends with an explanation that is short, in one line and without control characters.
 * 6. No more is read than needed: the steps of the nearest build and of those that are nearer and do not have the step; the inputs
 *    of two builds; nothing if the step itself says why.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_CAUSES, MAX_TEXT } from "./limits.ts";
import {
  type BuildRecord,
  explainAmong,
  files,
  makeBuild,
  makeSteps,
  recipe,
  value,
} from "../testing/explained-builds.ts";
import type { Recipe } from "./types.ts";

const BASE = `[1/4] FROM docker.io/library/node:22@sha256:${"a".repeat(64)}`;
const NAMES = [BASE, "[2/4] COPY package.json ./", "[3/4] RUN npm ci", "[4/4] COPY src ./src"];
const SEEN = { "package.json": "p1", "src/a.ts": "a1", "src/b.ts": "b1", "README.md": "r1" };

const READS = [undefined, ["package.json"], undefined, ["src"]];
function recipeOf(prefix: string, run: Parameters<typeof recipe>[0] = {}): Recipe {
  const steps = READS.map((paths, index) => {
    const isRun = index === 2;
    const reads = paths ? [{ context: "context", paths }] : [];
    return [
      `${prefix}${index + 1}`,
      recipe({ reads, ...(isRun && { command: ["/bin/sh", "-c", "npm ci"], ...run }) }),
    ] as const;
  });
  return { steps: Object.fromEntries(steps), sources: {} };
}

const stepsNamed = (prefix: string, names: readonly string[], cached = 0) =>
  makeSteps(
    prefix,
    names.map((name, index) => ({ name, isCached: index < cached })),
  );

const earlier = makeBuild({
  id: "bld_1",
  steps: stepsNamed("e", NAMES),
  files: files(SEEN),
  recipe: recipeOf("e"),
});
/** How many of the four steps came from the cache, and the differences. */
const later = (cached: number, parts: Partial<BuildRecord> = {}) =>
  makeBuild({
    id: "bld_2",
    createdAt: 1,
    steps: stepsNamed("l", NAMES, cached),
    files: files(SEEN),
    recipe: recipeOf("l"),
    ...parts,
  });

describe("one difference (1)", () => {
  test("a file that changed, one that was added, one that was removed", async () => {
    const changed = later(3, { files: files({ ...SEEN, "src/a.ts": "a2", "README.md": "r2" }) });
    expect(await explainAmong(changed, "l4", [earlier])).toEqual({
      summary: "The file `src/a.ts` changed.",
      causes: [{ kind: "file", name: "src/a.ts", before: "1 byte, sum a1", after: "1 byte, sum a2" }],
      comparedBuildId: "bld_1",
    });
    const { "src/b.ts": _, ...fewer } = SEEN;
    const moved = later(3, { files: files({ ...fewer, "src/c.ts": "b1" }) });
    expect((await explainAmong(moved, "l4", [earlier]))?.causes).toEqual([
      { kind: "file", name: "src/c.ts", before: "", after: "1 byte" },
      { kind: "file", name: "src/b.ts", before: "1 byte", after: "" },
    ]);
  });

  test("a file of a step that it builds on stands first, and the step is named", async () => {
    const build = later(1, { files: files({ ...SEEN, "package.json": "p2", "src/b.ts": "b2" }) });
    expect((await explainAmong(build, "l3", [earlier]))?.summary).toBe(
      "The file `package.json` changed (it builds on `COPY package.json ./`).",
    );
    const last = await explainAmong(build, "l4", [earlier]);
    expect(last?.causes.map(({ name }) => name)).toEqual(["package.json", "src/b.ts"]);
    expect(last?.summary).toContain("and one more thing differs");
  });

  test("an argument, in a recipe and in the text alone", async () => {
    const args = { VERSION: value("2") };
    const variables = (text: string) => ({ variables: { VERSION: value(text) } });
    const withRecipe = later(2, { arguments: args, recipe: recipeOf("l", variables("2")) });
    const before = { ...earlier, recipe: recipeOf("e", variables("1")) };
    expect((await explainAmong(withRecipe, "l3", [before]))?.summary).toBe(
      "The build argument `VERSION` changed from `1` to `2`.",
    );
    const named = (text: string) => [BASE, `[2/2] RUN build ${text}`];
    const old = { ...earlier, steps: stepsNamed("e", named("one")), arguments: { V: value("one") } };
    const failed = later(1, {
      steps: stepsNamed("l", named("two"), 1),
      arguments: { V: value("two") },
      recipe: null,
    });
    expect((await explainAmong(failed, "l2", [old]))?.causes).toEqual([
      { kind: "argument", name: "V", before: "one", after: "two" },
    ]);
  });

  test("a secret argument is not shown", async () => {
    const hidden = (fingerprint: string) => ({ variables: { TOKEN: { fingerprint, shown: "***" } } });
    const build = later(2, {
      arguments: { TOKEN: { fingerprint: "y", shown: "***" } },
      recipe: recipeOf("l", hidden("y")),
    });
    const before = { ...earlier, recipe: recipeOf("e", hidden("x")) };
    expect((await explainAmong(build, "l3", [before]))?.summary).toBe(
      "The build argument `TOKEN` has a different value.",
    );
  });

  test("an instruction that was edited, one that is new, a variable of the file", async () => {
    const edited = NAMES.map((name) => name.replace("npm ci", "npm ci --offline"));
    const build = later(2, {
      steps: stepsNamed("l", edited, 2),
      recipe: recipeOf("l", { command: ["/bin/sh", "-c", "npm ci --offline"] }),
    });
    expect((await explainAmong(build, "l3", [earlier]))?.summary).toBe(
      "The instruction changed from `RUN npm ci` to `RUN npm ci --offline`.",
    );
    const longer = [...NAMES.slice(0, 3), "[4/5] WORKDIR /src", "[5/5] COPY src ./src"];
    const grown = later(3, { steps: stepsNamed("l", longer, 3), recipe: null });
    expect((await explainAmong(grown, "l4", [earlier]))?.summary).toBe(
      "The instruction `WORKDIR /src` is new.",
    );
    expect((await explainAmong(grown, "l5", [earlier]))?.summary).toBe(
      "The instruction `WORKDIR /src` is new (it builds on `WORKDIR /src`).",
    );
    const variable = later(2, { recipe: recipeOf("l", { variables: { MODE: value("fast") } }) });
    expect((await explainAmong(variable, "l3", [earlier]))?.causes).toEqual([
      { kind: "instruction", name: "MODE", before: "", after: "fast" },
    ]);
  });

  test("another digest of the base image, also when that came from the cache", async () => {
    const digest = "b".repeat(64);
    const steps = stepsNamed("l", [BASE.replace("a".repeat(64), digest), ...NAMES.slice(1)], 1);
    const [cause] = (await explainAmong(later(1, { steps }), "l2", [earlier]))?.causes ?? [];
    expect(cause).toEqual({
      kind: "base",
      name: "docker.io/library/node:22",
      before: `sha256:${"a".repeat(64)}`,
      after: `sha256:${digest}`,
    });
  });

  test("another commit of a Git context", async () => {
    const address = "https://git.example/web.git#main";
    const steps = (prefix: string) =>
      stepsNamed(prefix, [`[internal] load git source ${address}`, "[1/1] COPY . ."]);
    const at = (commit: string): Recipe => ({ steps: {}, sources: { [address]: commit } });
    const old = { ...earlier, steps: steps("e"), recipe: at("111") };
    const build = later(0, { steps: steps("l"), recipe: at("222") });
    expect((await explainAmong(build, "l2", [old]))?.causes).toEqual([
      { kind: "base", name: address, before: "111", after: "222" },
    ]);
  });

  test("a mount of a secret; the value of one is not a part of the key", async () => {
    const build = later(2, { recipe: recipeOf("l", { secrets: ["npm"] }) });
    expect((await explainAmong(build, "l3", [earlier]))?.causes).toEqual([
      { kind: "secret", name: "npm", before: "", after: "npm" },
    ]);
  });

  test("a platform, --no-cache, a lost layer", async () => {
    const arm = NAMES.map((name) => name.replace("[", "[linux/arm64 "));
    const build = later(0, { steps: stepsNamed("l", arm) });
    expect((await explainAmong(build, "l3", [earlier]))?.causes[0]?.kind).toBe("platform");
    expect((await explainAmong(later(0, { withoutCache: "" }), "l3", [earlier]))?.summary).toContain(
      "--no-cache",
    );
    expect((await explainAmong(later(0, { withoutCache: "other" }), "l3", [earlier]))?.causes[0]?.kind).toBe(
      "lost",
    );
    expect((await explainAmong(later(1), "l4", [earlier]))?.summary).toBe(
      "Nothing that it depends on changed: the layer of `COPY package.json ./`, made or reused at 1970-01-01T00:00:00.000Z, is no longer in the cache (it builds on `COPY package.json ./`).",
    );
  });
});

test("the nearest build (2)", async () => {
  const build = later(3, { target: "web", branch: "fix", createdAt: 9 });
  const builds = [
    makeBuild({ ...earlier, id: "newest", createdAt: 8 }),
    makeBuild({ ...earlier, id: "target", target: "web", createdAt: 7 }),
    makeBuild({
      ...earlier,
      id: "failed",
      target: "web",
      branch: "fix",
      steps: earlier.steps.map((step) => ({ ...step, state: "failed" as const })),
    }),
    makeBuild({ ...earlier, id: "both", target: "web", branch: "fix", createdAt: 5 }),
    makeBuild({ ...earlier, id: "older", target: "web", branch: "fix", createdAt: 4 }),
    makeBuild({ ...build, id: "after", createdAt: 10 }),
  ];
  const nearest = async (among: BuildRecord[]) => (await explainAmong(build, "l4", among))?.comparedBuildId;
  expect(await nearest(builds)).toBe("both");
  expect(await nearest(builds.filter(({ branch }) => branch !== "fix"))).toBe("target");
  expect(await nearest(builds.slice(0, 1))).toBe("newest");
  expect(await nearest(builds.slice(-1))).toBe("");
});

test("what is not known (3)", async () => {
  const kindOf = async (build: BuildRecord, before: BuildRecord[]) =>
    (await explainAmong(build, "l4", before))?.causes[0];
  expect(await kindOf(later(3, { files: null }), [earlier])).toEqual({
    kind: "unknown",
    name: "src",
    before: "",
    after: "",
  });
  expect((await kindOf(later(3, { files: null, recipe: null }), [earlier]))?.kind).toBe("unknown");
  expect((await kindOf(later(0), []))?.kind).toBe("first");
  const failed = earlier.steps.map((step) => ({ ...step, state: "failed" as const }));
  expect((await kindOf(later(0), [{ ...earlier, steps: failed }]))?.kind).toBe("first");
  expect(await explainAmong(later(0), "nobody", [earlier])).toBeNull();
});

test("no misses (4)", async () => {
  expect((await explainAmong(later(4), "l4", [earlier]))?.summary).toBe("It came from the layer cache.");
  const internal = later(0, { steps: makeSteps("l", [{ name: "[internal] load build context" }]) });
  expect((await explainAmong(internal, "l1", [earlier]))?.causes).toEqual([]);
  const waiting = later(0, { steps: makeSteps("l", [{ name: "[1/1] RUN a", startedAt: null }]) });
  expect((await explainAmong(waiting, "l1", []))?.summary).toBe("It has not run.");
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("constructor", "__proto__", "[1/2] RUN a", "[2/2] COPY . .", "[1/1] FROM x\u202e"),
);
const build = fc
  .array(fc.record({ name: text, isCached: fc.boolean(), inputs: fc.array(fc.nat(9)) }), { maxLength: 9 })
  .map((steps) =>
    makeSteps(
      "",
      steps.map(({ name, isCached, inputs }) => ({ name, isCached, inputs: inputs.map(String) })),
    ),
  );

test("any builds (5)", async () => {
  const values = fc.dictionary(text, text.map(value), { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(build, build, values, values, text, async (steps, before, args, earlierArgs, path) => {
      const last = makeBuild({
        id: "b",
        createdAt: 1,
        steps,
        arguments: args,
        files: files({ [path]: "1" }),
      });
      const first = makeBuild({ steps: before, arguments: earlierArgs, files: files({}) });
      for (const { id } of steps) {
        const told = await explainAmong(last, id, [first]);
        expect(told?.summary.length).toBeLessThan(MAX_TEXT * 5);
        expect(told?.summary).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(told?.causes.length).toBeLessThanOrEqual(MAX_CAUSES);
      }
    }),
  );
});

test("what is read (6)", async () => {
  const among = ["newest", "middle", "oldest"].map((id, at) =>
    makeBuild({ ...earlier, id, createdAt: 9 - at }),
  );
  const without = makeBuild({ id: "without", createdAt: 10, steps: stepsNamed("e", [BASE]) });
  const readFor = async (build: BuildRecord, before: BuildRecord[], stepId = "l4") => {
    const read: string[] = [];
    await explainAmong({ ...build, createdAt: 20 }, stepId, before, { read });
    return read;
  };
  const ofNewest = ["steps of newest", "material of bld_2", "material of newest"];
  expect(await readFor(later(3), among)).toEqual(ofNewest);
  expect(await readFor(later(3), [without, ...among])).toEqual(["steps of without", ...ofNewest]);
  expect(await readFor(later(3), [without])).toEqual(["steps of without"]);
  expect(await readFor(later(4), among)).toEqual([]);
  expect(await readFor(later(0, { withoutCache: "" }), among)).toEqual([]);
  expect(await readFor(later(3), among, "nobody")).toEqual([]);
});
