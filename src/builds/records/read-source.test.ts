/**
 * 1. The position in the Dockerfile is kept from an error's details: the lines that failed, and some before and after.
 * 2. Secrets are masked, and a file of any length and width becomes a few short lines.
 * 3. Details without a possible position give no source: details of other kinds, a line that the file does not have, anything but
 *    JSON of this shape.
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { FailureSchema } from "../gen/buildkit/control_pb.ts";
import { MAX_SOURCE_LINE_LENGTH, MAX_SOURCE_LINES } from "../contract/limits.ts";
import { Masker } from "../masking/masker.ts";
import { findSource } from "./read-source.ts";

const SOURCE = "github.com/moby/buildkit/errdefs.Source+json";

const failure = (...details: readonly [string, unknown][]) =>
  toBinary(
    FailureSchema,
    create(FailureSchema, {
      code: 2,
      message: "exit code: 1",
      details: details.map(([typeUrl, value]) => ({
        typeUrl,
        value: new TextEncoder().encode(JSON.stringify(value)),
      })),
    }),
  );
const placeOf = (text: string, from: number, to = from) => ({
  info: { filename: "Dockerfile", data: Buffer.from(text).toString("base64") },
  ranges: [{ start: { line: from }, end: { line: to } }],
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `RUN ${index + 1}`);
const none = new Masker();

test("1. the lines around it", () => {
  const bytes = failure(
    ["github.com/moby/buildkit/stack.Stack+json", { frames: [] }],
    [SOURCE, placeOf(`${numbered(20).join("\r\n")}\r\n`, 10, 11)],
  );
  expect(findSource(bytes, none)).toEqual({
    file: "Dockerfile",
    firstLine: 8,
    lines: numbered(13).slice(7),
    failedFrom: 10,
    failedTo: 11,
  });
  expect(findSource(failure([SOURCE, placeOf("FROM base\nRUN false\n\n", 2)]), none)).toMatchObject({
    firstLine: 1,
    lines: ["FROM base", "RUN false"],
    failedFrom: 2,
    failedTo: 2,
  });
});

test("2. secrets and sizes", () => {
  const known = new Masker();
  known.addArguments(["hunter2-hunter2"]);
  const text = `FROM base\nRUN curl -u me:hunter2-hunter2 ${"x".repeat(9_999)}\n${numbered(999).join("\n")}`;
  const found = findSource(failure([SOURCE, placeOf(text, 2, 900)]), known);
  expect(found?.lines).toHaveLength(MAX_SOURCE_LINES);
  expect(found?.lines[1]).toMatch(/^RUN curl -u me:\*\*\* x/);
  expect(Math.max(...(found?.lines ?? []).map(({ length }) => length))).toBe(MAX_SOURCE_LINE_LENGTH);
});

test.each([
  ["no details", failure()],
  ["another kind", failure(["github.com/moby/buildkit/errdefs.Vertex+json", { digest: "sha256:1" }])],
  ["a line behind the end", failure([SOURCE, placeOf("FROM base", 9)])],
  ["no line", failure([SOURCE, { info: { filename: "Dockerfile", data: "" }, ranges: [] }])],
  ["another shape", failure([SOURCE, { info: "Dockerfile", ranges: [{}] }])],
])("3. %s", (_, bytes) => {
  expect(findSource(bytes, none)).toBeNull();
});
