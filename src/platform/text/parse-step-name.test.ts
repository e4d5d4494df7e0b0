/**
 * 1. A builder's step names are split into platform, stage, place and instruction.
 * 2. Any text is a valid name, and none of its instruction is lost.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseStepName } from "./parse-step-name.ts";

test.each([
  ["[linux/arm64 deps 2/2] RUN pnpm install", ["linux/arm64", "deps", 2, "RUN", "pnpm install"]],
  ["[linux/amd64->arm64 build 1/2] COPY . .", ["linux/arm64", "build", 1, "COPY", ". ."]],
  ["[linux/arm/v7 2/3] WORKDIR /src", ["linux/arm/v7", "", 2, "WORKDIR", "/src"]],
  ["[stage-1 1/3] COPY --from=build /a /b", [null, "stage-1", 1, "COPY", "--from=build /a /b"]],
  ["[2/2] RUN id", [null, "", 2, "RUN", "id"]],
  ["[internal] load build context", [null, "internal", undefined, "", "load build context"]],
  ["[context debian] OCI load from client", [null, "context debian", undefined, "", "OCI load from client"]],
  ["exporting to image", [null, "export", undefined, "", "exporting to image"]],
  ["docker-image://docker.io/x:1", [null, "internal", undefined, "", "docker-image://docker.io/x:1"]],
])("%s (1)", (name, [platform, stage, at, keyword, rest]) => {
  const parsed = parseStepName(name);
  expect([parsed.platform, parsed.stage, parsed.place?.at, parsed.keyword, parsed.rest]).toEqual([
    platform,
    stage,
    at,
    keyword,
    rest,
  ]);
});

test("any text is a name (2)", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(..."[] /x2->"), { maxLength: 30 }), (letters) => {
      const text = letters.join("");
      const { keyword, rest } = parseStepName(text);
      const shown = keyword === "" ? rest : `${keyword} ${rest}`;
      expect(text === shown || text.endsWith(`] ${shown}`)).toBe(true);
    }),
  );
});
