/**
 * 1. Read from BuildKit's own provenance, by the digests of the steps: commands with the names of arguments, variables, folders,
 *    secrets, paths read from each context, lines of the Dockerfile, sources.
 * 2. Anything else, or a provenance that is too large, is null; values go through the function that hides them.
 * 3. The result is not much larger than the provenance, however often its parts name the same step or folder.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_PROVENANCE_BYTES, MAX_STEPS } from "./limits.ts";
import { readRecipe } from "./read-recipe.ts";
import { value } from "../testing/explained-builds.ts";

const copy = (src: string, input: number, secondaryInput: number) => ({
  Action: { copy: { allowWildcard: true, dest: "/", mode: -1, src, timestamp: -1 } },
  input,
  output: 0,
  secondaryInput,
});
const line = (start: number) => ({
  locations: [{ ranges: [{ start: { line: start }, end: { line: start } }] }],
});

/** Written by buildkitd 0.33, and shortened. */
const PROVENANCE = {
  buildDefinition: {
    buildType: "https://github.com/moby/buildkit/blob/master/docs/attestations/slsa-definitions.md",
    resolvedDependencies: [{ uri: "pkg:docker/debian@12?platform=linux%2Famd64", digest: { sha256: "d1" } }],
    internalParameters: {
      builderPlatform: "linux/amd64",
      buildConfig: {
        digestMapping: { "sha256:s": "step0", "sha256:a": "step1", "sha256:b": "step2", "sha256:c": "step3" },
        llbDefinition: [
          {
            id: "step0",
            op: { Op: { source: { identifier: "local://context", attrs: {} } }, constraints: {} },
          },
          {
            id: "step1",
            inputs: ["step0:0"],
            op: { Op: { file: { actions: [copy("/src", -1, 0), copy("/*.json", 0, 0)] } }, constraints: {} },
          },
          {
            id: "step2",
            inputs: ["step1:0", "step0:0"],
            op: {
              Op: {
                exec: {
                  meta: { args: ["/bin/sh", "-c", "make $V"], cwd: "/src", env: ["PATH=/bin", "V=1=2"] },
                  mounts: [
                    { dest: "/" },
                    { dest: "/in", input: 1, selector: "/docs" },
                    { dest: "/run/secrets/tok", input: -1, mountType: 1, secretOpt: { ID: "tok" } },
                    { dest: "/run/agent", input: -1, mountType: 2, SSHOpt: { ID: "default" } },
                  ],
                },
              },
            },
          },
          { id: "step3", inputs: ["step2:0"], op: { Op: {} } },
        ],
      },
    },
  },
  runDetails: {
    metadata: {
      buildkit_metadata: { source: { locations: { step0: {}, step1: line(2), step2: line(5) }, infos: [] } },
    },
  },
};
const encode = (content: unknown) => new TextEncoder().encode(JSON.stringify(content));

test("of a build (1)", () => {
  expect(readRecipe(encode(PROVENANCE), (_, text) => value(text))).toEqual({
    steps: {
      "sha256:a": {
        command: [],
        variables: {},
        folder: "",
        user: "",
        secrets: [],
        reads: [{ context: "context", paths: ["src", "*.json"] }],
        line: 2,
      },
      "sha256:b": {
        command: ["/bin/sh", "-c", "make $V"],
        variables: { PATH: value("/bin"), V: value("1=2") },
        folder: "/src",
        user: "",
        secrets: ["tok", "default"],
        reads: [{ context: "context", paths: ["docs"] }],
        line: 5,
      },
    },
    sources: { "pkg:docker/debian@12?platform=linux%2Famd64": "d1" },
  });
});

test("of anything else (2)", () => {
  const hide = (name: string) => ({ fingerprint: name, shown: "***" });
  expect(JSON.stringify(readRecipe(encode(PROVENANCE), hide))).not.toContain("1=2");
  expect(readRecipe(new Uint8Array(MAX_PROVENANCE_BYTES + 1), hide)).toBeNull();
  expect(readRecipe(new TextEncoder().encode("{"), hide)).toBeNull();
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("buildDefinition", "runDetails"), (content, part) => {
      expect(() => readRecipe(encode({ ...PROVENANCE, [part]: content }), hide)).not.toThrow();
      expect(readRecipe(encode(content), hide)).toBeNull();
    }),
  );
});

test("of one that names the same again and again (3)", () => {
  const steps = Array.from({ length: MAX_STEPS - 1 }, (_, at) => ({
    id: `step${at}`,
    inputs: ["folder:0"],
    op: { Op: { file: { actions: [copy("/", -1, 0)] } } },
  }));
  const folder = { id: "folder", op: { Op: { source: { identifier: `local://${"f".repeat(2 ** 20)}` } } } };
  const large = { id: "step0", op: { Op: { exec: { meta: { args: ["x".repeat(2 ** 20)] } } } } };
  const digests = (name: (at: number) => string) =>
    Object.fromEntries(steps.map((_, at) => [`sha256:${at}`, name(at)]));
  for (const buildConfig of [
    { digestMapping: digests((at) => `step${at}`), llbDefinition: [folder, ...steps] },
    { digestMapping: digests(() => "step0"), llbDefinition: [large] },
  ]) {
    const bytes = encode({ buildDefinition: { internalParameters: { buildConfig } } });
    const read = readRecipe(bytes, (_, text) => value(text));
    expect(Object.keys(read?.steps ?? {}).length).toBeGreaterThan(0);
    expect(JSON.stringify(read).length).toBeLessThan(2 * bytes.length);
  }
});
