/**
 * 1. A value that a client says while the build runs is masked in every line, name and error that comes later.
 * 2. Of secrets that begin others the longest goes first; of a secret with several lines each is masked.
 *    Characters that mean something in expressions are themselves; those of any length are found.
 * 3. More than can be looked for is refused, and what was known before stays masked.
 * 4. As many as there may be are found in a megabyte of short lines as quickly as a few are.
 */
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { StatusResponseSchema } from "../gen/buildkit/control_pb.ts";
import { MAX_SECRETS, MAX_SECRETS_LENGTH } from "../limits.ts";
import { addSecrets, maskText } from "./mask-secrets.ts";
import { Steps } from "./steps.ts";

const apply = (steps: Steps, ...given: Parameters<Steps["apply"]>) => void [...steps.apply(...given)];
const text = (value: string) => new TextEncoder().encode(value);

test("1. said while it runs", () => {
  const secrets = new Set<string>();
  const lines: string[] = [];
  const steps = new Steps({
    secrets,
    lastDurations: new Map(),
    clock: () => 0,
    addLine: (line) => void lines.push(line.text),
  });
  addSecrets(secrets, ["npm-value-1"]);
  const time = { seconds: 1n, nanos: 0 };
  const vertex = { digest: "sha256:a", name: "[2/2] RUN login npm-value-1", started: time };
  apply(steps, "linux/amd64", create(StatusResponseSchema, { vertexes: [vertex] }));
  addSecrets(secrets, ["npm-value-2"]);
  const said = text("got npm-value-1 and npm-value-2\n");
  const logs = [{ vertex: vertex.digest, stream: 1n, msg: said }];
  apply(steps, "linux/amd64", create(StatusResponseSchema, { logs }));
  const ended = { ...vertex, completed: time, error: "npm-value-2 is wrong" };
  apply(steps, "linux/amd64", create(StatusResponseSchema, { vertexes: [ended] }));
  expect(lines).toEqual(["[2/2] RUN login ***", "got *** and ***", "ERROR: *** is wrong"]);
  expect(steps.all).toMatchObject([{ name: "[2/2] RUN login ***", error: "*** is wrong" }]);
});

test("2. parts of each other", () => {
  const secrets = new Set<string>();
  addSecrets(secrets, ["abcdef"]);
  addSecrets(secrets, ["abcdef-ghijkl", "first line\r\nsecond line\n--\n"]);
  expect(maskText("abcdef-ghijkl abcdef", secrets)).toBe("*** ***");
  expect(maskText("1: first line, 2: second line, 3: --", secrets)).toBe("1: ***, 2: ***, 3: --");
  const any = fc.string({
    unit: fc.constantFrom(..."ab.*+?^$()[]{}|\\/-\n\u20ac"),
    minLength: 6,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(any, { minLength: 1 }), any, fc.nat(), (found, around, at) => {
      const set = new Set<string>();
      addSecrets(set, [...found, "x".repeat(4000)]);
      const secret = found[at % found.length]?.split("\n").find((part) => part.length >= 6);
      if (secret === undefined || [...set].some((other) => around.includes(other))) return;
      expect(maskText(`${"y".repeat(9)}${secret}${"y".repeat(9)}`, set)).not.toContain(secret);
      expect(maskText("x".repeat(4001), set)).toBe("***x");
      expect(maskText(around, set)).toBe(around);
    }),
  );
});

test("3. too many", () => {
  const secrets = new Set<string>();
  addSecrets(secrets, ["known-secret"]);
  const many = Array.from({ length: MAX_SECRETS }, (_, at) => `secret-${at}`);
  for (const wrong of [many, ["x".repeat(MAX_SECRETS_LENGTH)], [many.join("\n")]])
    expect(() => addSecrets(secrets, wrong)).toThrow("Pass secrets with --secret.");
  expect([...secrets]).toEqual(["known-secret"]);
});

test("4. many short lines", () => {
  const [few, many] = [new Set<string>(), new Set<string>()];
  addSecrets(few, ["secret-of-one"]);
  addSecrets(
    many,
    Array.from({ length: MAX_SECRETS - 1 }, (_, at) => `secret-${at}`.padEnd(200, "x")),
  );
  const timeOf = (secrets: Set<string>) => {
    const begun = performance.now();
    for (let at = 0; at < 100_000; at += 1) maskText("secret-1 x", secrets);
    return performance.now() - begun;
  };
  timeOf(few);
  // One after the other, it would be a few hundred times longer.
  expect(timeOf(many)).toBeLessThan(50 * (timeOf(few) + 10));
});
