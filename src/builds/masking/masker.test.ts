/**
 * 1. A value that a client sends while the build runs is masked in every later line, name and error.
 * 2. A value that a step mounts is in no line of the step's output, however the output and the value are formed and cut: whole, by
 *    lines, after the point where a long line is cut, and among other secrets. The text around it stays.
 * 3. So are its encodings by programs: base64 at any offset and wrapped, hexadecimal, in JSON, in URLs, quoted by a shell, without
 *    its line breaks; and for settings files, only the passwords.
 * 4. Secrets of any number and length are found, and text without secrets is unchanged.
 * 5. Short values are not masked.
 * 6. Arguments: more than can be searched for are refused, and earlier ones stay masked.
 * 7. Mounted secrets: all builds of a project that run together mask them, until the last has ended. Too many are refused, except
 *    that those of builds that have ended are forgotten first.
 * 8. The work does not grow with the number of secrets, nor with lines that repeat them.
 * 9. Tokens of this service are masked, whoever gave them to a step.
 * 10. No address of a context with a password or a token in it is stored or printed.
 * 11. The documentation quotes these limits.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { StatusResponseSchema } from "../gen/buildkit/control_pb.ts";
import { MAX_LINE_LENGTH, MAX_MOUNTED_LENGTH, MAX_SECRETS, MAX_SECRETS_LENGTH } from "../contract/limits.ts";
import { readInputs } from "../records/read-inputs.ts";
import { Steps } from "../records/steps.ts";
import { MAX_SECRET_BYTES } from "../context/limits.ts";
import { formsOf, MAX_ENCODED_LENGTH } from "./forms-of.ts";
import { Masker } from "./masker.ts";
import { MIN_LENGTH, Patterns } from "./patterns.ts";
import { ProjectSecrets } from "./project-secrets.ts";

const apply = (steps: Steps, ...given: Parameters<Steps["apply"]>) => void [...steps.apply(...given)];
const platform = "linux/amd64";
const time = { seconds: 1n, nanos: 0 };
const vertex = { digest: "sha256:a", name: "[2/2] RUN login", started: time };

function record(masker: Masker) {
  const lines: string[] = [];
  const steps = new Steps({
    masker,
    lastDurations: new Map(),
    clock: () => 0,
    addLine: (line) => void lines.push(line.text),
  });
  return { lines, steps };
}

function maskerOf(...values: (string | Uint8Array)[]): Masker {
  const masker = new Masker();
  for (const value of values) masker.addMounted(Buffer.from(value as string));
  return masker;
}

test("1. said while it runs", () => {
  const masker = new Masker();
  masker.addArguments(["npm-value-1"]);
  const { lines, steps } = record(masker);
  apply(
    steps,
    platform,
    create(StatusResponseSchema, { vertexes: [{ ...vertex, name: "[2/2] RUN login npm-value-1" }] }),
  );
  masker.addMounted(Buffer.from("npm-value-2\n"));
  const logs = [{ vertex: vertex.digest, stream: 1n, msg: Buffer.from("got npm-value-1 and npm-value-2\n") }];
  apply(steps, platform, create(StatusResponseSchema, { logs }));
  const warnings = [{ vertex: vertex.digest, short: Buffer.from("npm-\0value-2 is old") }];
  const ended = { ...vertex, completed: time, error: "npm-value-2 is wrong" };
  apply(steps, platform, create(StatusResponseSchema, { vertexes: [ended], warnings }));
  expect(lines).toEqual(["[2/2] RUN login ***", "got *** and ***", "ERROR: *** is wrong"]);
  expect(steps.all).toMatchObject([{ name: "[2/2] RUN login ***", error: "*** is wrong" }]);
  expect(steps.warnings).toMatchObject([{ message: "*** is old" }]);
});

const secretText = fc.string({
  unit: fc.constantFrom(..."ab.*+?^$()[]{}|\\/-%\"'<&\n €🦊"),
  minLength: MIN_LENGTH,
  maxLength: 120,
});
const longLines = (text: string) =>
  text.split(/[\r\n]+/).flatMap((line) => (line.trim().length >= MIN_LENGTH ? line.trim() : []));

function printed(masker: Masker, output: Buffer, cuts: readonly number[]): string[] {
  const { lines, steps } = record(masker);
  apply(steps, platform, create(StatusResponseSchema, { vertexes: [vertex] }));
  let turn = 0;
  for (let at = 0; at < output.length;) {
    const msg = output.subarray(at, (at += cuts[turn++ % cuts.length] ?? output.length));
    apply(
      steps,
      platform,
      create(StatusResponseSchema, { logs: [{ vertex: vertex.digest, stream: 1n, msg }] }),
    );
  }
  steps.end("failed");
  return lines.slice(1);
}

test("2. cut anywhere", () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 });
  const secrets = fc.array(secretText, { minLength: 1, maxLength: 4 });
  const repeats = fc.tuple(secrets, fc.nat(), fc.nat(3 * MAX_LINE_LENGTH), cuts);
  fc.assert(
    fc.property(repeats, ([all, which, before, at]) => {
      const secret = all[which % all.length] ?? "";
      const output = Buffer.from(`begin\n${"=".repeat(before)}${secret}=${secret}=\nend of it\n`);
      const whole = printed(maskerOf(...all), output, [output.length]);
      expect(
        printed(
          maskerOf(...all),
          output,
          at.map((each) => each * 200),
        ),
      ).toEqual(whole);
      for (const line of longLines(secret)) expect(whole.join("\n")).not.toContain(line);
      expect([whole[0], whole.at(-1)]).toEqual(["begin", "end of it"]);
    }),
    { numRuns: 200 },
  );
});

test("2. where a long line is cut", () => {
  const secret = "correct-horse-battery";
  for (let left = 0; left <= secret.length; left += 1) {
    const [line] = printed(
      maskerOf(secret),
      Buffer.from(`${"=".repeat(MAX_LINE_LENGTH - left)}${secret}=`),
      [9999],
    );
    expect(line?.replaceAll("=", "")).toBe(left > 0 ? "*** …" : " …");
  }
  const far = `${secret.repeat(800)}${"=".repeat(20_000)}${secret.repeat(2000)}`;
  expect(printed(maskerOf(secret), Buffer.from(far), [9999])[0]).toBe("*** …");
});

describe("3. as programs write it", () => {
  const text = 'p4ss "w\\rd"/<&>+? it\'s';
  const bytes = Buffer.from(text);
  const base64 = (value: string) => Buffer.from(value).toString("base64");
  test.each([
    ["base64", base64(text)],
    ["with a line break", base64(`${text}\n`)],
    ["behind a name", base64(`ada:${text}`)],
    ["behind a longer name", base64(`ada_:${text}`)],
    ["for addresses", bytes.toString("base64url")],
    ["hexadecimal", bytes.toString("hex")],
    ["in capitals", bytes.toString("hex").toUpperCase()],
    ["JSON", JSON.stringify({ text })],
    ["JSON of Go", '"p4ss \\"w\\\\rd\\"/\\u003c\\u0026\\u003e+? it\'s"'],
    ["JSON of PHP", JSON.stringify(text).replaceAll("/", String.raw`\/`)],
    ["an address", `https://x/?q=${encodeURIComponent(text)}&`],
    ["a form", String(new URLSearchParams({ text }))],
    ["lower case", encodeURIComponent(text).replaceAll(/%../g, (each) => each.toLowerCase())],
    ["a shell", `+ echo '${text.replaceAll("'", String.raw`'\''`)}'`],
    ["busybox", `+ echo '${text.replaceAll("'", `'"'"'`)}'`],
  ])("%s", (_, written) => {
    const masked = maskerOf(`${text}\n`).mask(`> ${written} <`);
    expect(masked).toMatch(/^> .*\*\*\*.* <$/);
    // The last characters of an encoding depend on what follows.
    expect(masked.length).toBeLessThan(written.length > 60 ? 42 : 22);
    for (const part of ["p4ss", "w\\rd", "cDRzcw", "70347373"]) expect(masked).not.toContain(part);
  });

  test.each([76, 64])("wrapped after %d characters", (width) => {
    for (const length of [48, 57, 58, 100, 999, 12_000]) {
      const value = Buffer.from(Array.from({ length }, (_, at) => (at * at * 31 + at) % 251));
      const lines = value.toString("base64").match(new RegExp(`.{1,${width}}`, "g")) ?? [];
      const masker = maskerOf(value);
      for (const line of lines) {
        const left = masker.mask(line).replace("***", "");
        expect(left.length, `${line} of ${length}`).toBeLessThan(MIN_LENGTH);
      }
    }
  });

  test("of a key, each line and all in one", () => {
    const key = `-----BEGIN KEY-----\n${"MIIEvQIBADANBgkqh\nkiG9w0BAQEFAASCBK\n"}-----END KEY-----\n`;
    const masker = maskerOf(key);
    for (const line of longLines(key)) expect(masker.mask(`> ${line}`)).toBe("> ***");
    for (const all of [
      JSON.stringify(key),
      key.trim().replaceAll("\n", " "),
      key.trim().replaceAll("\n", "\\n"),
    ])
      expect(masker.mask(all)).not.toMatch(/BEGIN|MII|kiG/);
  });

  test.each([
    ["//npm.example.com/:_authToken=npm_0123abcd\nalways-auth=true\n", "npm_0123abcd"],
    ["machine git.example.com login ada password hunter22\n", "hunter22"],
    ["https://ada:hunter22@git.example.com\n", "hunter22"],
    ["https://0123456789abcdefghij@git.example.com\n", "0123456789abcdefghij"],
    ['{ "auths": { "x": { "auth": "YWRhOmh1bnRlcjIy" } } }', "YWRhOmh1bnRlcjIy"],
    ["<server><password>hunter22</password></server>", "hunter22"],
    ["[default]\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG\n", "wJalrXUtnFEMI/K7MDENG"],
  ])("of settings the password: %s", (file, password) => {
    expect(
      maskerOf(file).mask(`with ${password}, and ${Buffer.from(`ada:${password}`).toString("base64")}`),
    ).toMatch(/^with \*\*\*, and .{0,8}\*\*\*.{0,4}$/);
  });
});

test("4. any number and length", () => {
  const lengths = fc.array(fc.integer({ min: MIN_LENGTH, max: 3000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 4 }), fc.nat(), (all, letters, seed) => {
      // With few letters, so that they begin, end and repeat each other.
      let state = seed;
      const letter = () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return "abcde"[(state >>> 16) % (letters + 1)] ?? "a";
      };
      const secrets = all.map((length) => Array.from({ length }, letter).join(""));
      const patterns = new Patterns();
      for (const secret of secrets) patterns.add(secret);
      for (const secret of secrets) {
        const found = patterns.find(`==${secret}=`);
        expect(found).toEqual([[2, 2 + secret.length]]);
      }
      expect(patterns.find("= nothing of it =".repeat(50))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("5. short ones", () => {
  const masker = maskerOf("12345", "on\noff\nlonger\n", "", "   \n");
  expect(masker.mask("12345 on off, longer")).toBe("12345 on off, ***");
});

test("6. too many arguments", () => {
  const masker = new Masker();
  masker.addArguments(["known-secret", "abc"]);
  const many = Array.from({ length: MAX_SECRETS }, (_, at) => `secret-${at}`);
  for (const wrong of [many, ["x".repeat(MAX_SECRETS_LENGTH)], [many.join("\n")]])
    expect(() => masker.addArguments(wrong)).toThrow("Pass secrets with --secret.");
  expect(masker.mask("known-secret, secret-1, abc")).toBe("***, secret-1, abc");
});

describe("7. of a project", () => {
  test("all of its builds", () => {
    const secrets = new ProjectSecrets();
    for (const id of ["a", "b"]) secrets.begin(id);
    const [a, b] = [new Masker("a", secrets), new Masker("b", secrets)];
    a.addMounted(Buffer.from("of build a"));
    expect([b.mask("of build a"), b.hasSecrets]).toEqual(["***", true]);
    expect(secrets.end("a")).toBe(false);
    expect(b.mask("of build a")).toBe("***");
    expect(secrets.end("b")).toBe(true);
    expect([b.mask("of build a"), b.hasSecrets]).toEqual(["of build a", false]);
  });

  test("too many", () => {
    const secrets = new ProjectSecrets();
    for (const id of ["a", "b"]) secrets.begin(id);
    const [a, b] = [new Masker("a", secrets), new Masker("b", secrets)];
    const large = (at: number) => Buffer.alloc(400_000, `${at} of many secrets `);
    const count = Math.ceil(MAX_MOUNTED_LENGTH / 400_000);
    const add = () => {
      for (let at = 0; at < count; at += 1) a.addMounted(large(at));
    };
    expect(add).toThrow("at most 4 MB of secrets at a time");
    // A repeated value takes no more room.
    a.addMounted(large(0));
    b.addMounted(Buffer.from("small one"));
    expect(() => b.addMounted(large(count))).toThrow("at most 4 MB");
    secrets.end("a");
    b.addMounted(large(count));
    expect(b.mask(`small one, ${large(count).toString("utf8", 0, 200)}`)).toMatch(/^\*\*\*, ?\*\*\*/);
  });
});

test("8. the work", () => {
  const lookups = (patterns: Patterns, text: string) => {
    const asked = vi.spyOn(Map.prototype, "get");
    patterns.find(text);
    const { length } = asked.mock.calls;
    asked.mockRestore();
    return length;
  };
  const text = Array.from({ length: 20_000 }, (_, at) => `line ${at} of the log, and so on`).join(" ");
  const many = new Patterns();
  for (let at = 0; at < 20_000; at += 1) many.add(`secret value ${at}`.padEnd(60, `${at}`));
  // Positions that look like the start of a secret; if each secret counted, there would be hundreds per position.
  expect(lookups(many, text)).toBeLessThan(text.length / 2);
  const same = new Patterns();
  for (let length = MIN_LENGTH; length < 500; length += 1) same.add("a".repeat(length));
  expect(lookups(same, "a".repeat(100_000))).toBeLessThan(200_000);
  // The maximum number of lengths at each position.
  expect(lookups(same, `${"a".repeat(MIN_LENGTH - 1)}b`.repeat(10_000))).toBe(0);
  expect(formsOf(Buffer.alloc(500 * 1024, "token=\n")).size).toBeLessThan(10);
});

test("9. tokens of this service", () => {
  const token = "mr_prj_0123456789abcdefghijABCDEFGHIJ";
  const masker = maskerOf("of the step");
  expect(masker.mask(`use ${token}, of the step`)).toBe("use mr_prj_***, ***");
  expect(new Masker().mask(`"${token}" mr_prj_short`)).toBe('"mr_prj_***" mr_prj_short');
});

test("10. addresses of contexts", () => {
  const attributes = {
    context: "https://ada:hunter22@git.example.com/web.git#main",
    "context:one": "https://ghp_0123456789abcdef@git.example.com/one.git",
    "context:two": "https://git@git.example.com/two.git",
  };
  const { inputs, secrets } = readInputs("dockerfile.v0", attributes);
  expect(inputs.namedContexts).toEqual({ one: "***", two: "https://git@git.example.com/two.git" });
  const masker = new Masker();
  masker.addArguments(secrets);
  for (const secret of ["hunter22", "ghp_0123456789abcdef"]) {
    expect(JSON.stringify(inputs)).not.toContain(secret);
    expect(masker.mask(`remote: ${secret}`)).toBe("remote: ***");
  }
});

test("11. the documentation", () => {
  const content = join(import.meta.dirname, "../../../content");
  const { limits } = parse(readFileSync(join(content, "facts/limits.yaml"), "utf8")) as {
    limits: { id: string; value: string }[];
  };
  const valueOf = (id: string) => limits.find((limit) => limit.id === id)?.value;
  expect(valueOf("build.secret")).toBe(`${MAX_SECRET_BYTES / 1024} KB`);
  expect(valueOf("build.mounted-secrets")).toBe(`${MAX_MOUNTED_LENGTH / 1024 ** 2} MB`);
  expect(valueOf("build.masked-length")).toBe(`${MIN_LENGTH} characters`);
  const page = readFileSync(
    join(content, "docs/container-builds/how-to-guides/docker-build/secrets.mdx"),
    "utf8",
  );
  expect(page).toContain(`a value of up to ${MAX_ENCODED_LENGTH / 1024} KB as base64`);
});
