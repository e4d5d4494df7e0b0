/**
 * The plugin with a program in place of the original buildx, and without a server.
 * 1. A Bake file on standard input, as `docker compose build` sends it, reaches buildx whole: when it resolves the file, and
 *    again when Docker builds after all. So it does when buildx only prints or lists.
 * 2. A context or Dockerfile on standard input reaches buildx untouched, whatever its size and bytes.
 * 3. A Bake file that is too large ends the command: Docker never builds from a part of it.
 */
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "millrace-plugin-"));
const buildx = join(folder, "buildx.mjs");
/** Each run starts up to three processes. */
const timeout = 120_000;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Records its arguments and the digest of its standard input. */
const FAKE = `#!${process.execPath}
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
const args = process.argv.slice(2).join(" ");
const hash = createHash("sha256");
for await (const chunk of process.stdin) hash.update(chunk);
appendFileSync(process.env.FAKE_CALLS, JSON.stringify([args, hash.digest("hex")]) + "\\n");
if (args.includes("--print")) console.log('{"target":{"web":{}}}');
`;
writeFileSync(buildx, FAKE, { mode: 0o755 });

const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url));
const RUNNER = `
import { readFacts } from ${urlOf("../../read-facts.ts")};
import { buildForDocker } from ${urlOf("./buildx-plugin.ts")};
import { openTerminal } from ${urlOf("../terminal.ts")};
const call = { facts: readFacts(), terminal: openTerminal(process, process.env), env: process.env, folder: process.cwd() };
process.exit(await buildForDocker(process.argv.slice(1), call));
`;

const digestOf = (input: Uint8Array) => createHash("sha256").update(input).digest("hex");

let runs = 0;

/** @returns buildx' calls, each with the digest of its standard input */
async function run(words: string, input: Uint8Array) {
  const calls = join(folder, `${++runs}.jsonl`);
  writeFileSync(calls, "");
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", RUNNER, "--"];
  const plugin = [buildx, "http://127.0.0.1:1", "web", ...words.split(" ")];
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    TMPDIR: folder,
    MILLRACE_TOKEN: "mr_user_x",
    FAKE_CALLS: calls,
  };
  const child = spawn(process.execPath, [...args, ...plugin], { cwd: folder, env });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdout.resume();
  child.stdin.on("error", () => {}).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  const lines = readFileSync(calls, "utf8").split("\n").filter(Boolean);
  return { code, stderr, calls: lines.map((line) => JSON.parse(line) as [string, string]) };
}

test("1. a Bake file", { timeout }, async () => {
  // Larger than a pipe's buffer.
  const file = Buffer.from(JSON.stringify({ target: { web: { args: { text: "ü".repeat(MIB) } } } }));
  const given = digestOf(file);
  const [built, printed, listed] = await Promise.all(
    ["bake --file - --progress rawjson", "bake -f- --print", "buildx bake --file=- --list targets"].map(
      (words) => run(words, file),
    ),
  );
  expect(built).toMatchObject({ code: 0, stderr: expect.stringContaining("Docker builds on this machine") });
  expect(built?.calls).toEqual([
    ["bake --print --progress=quiet --load --file -", given],
    ["bake --file - --progress rawjson", given],
  ]);
  expect(printed).toEqual({ code: 0, stderr: "", calls: [["bake -f- --print", given]] });
  expect(listed).toEqual({ code: 0, stderr: "", calls: [["bake --file=- --list targets", given]] });
});

test("2. a context, and a Dockerfile", { timeout }, async () => {
  const input = randomBytes(24 * MIB);
  await Promise.all(
    ["buildx build -", "build --file - ."].map(async (words) => {
      const { code, stderr, calls } = await run(words, input);
      expect([code, calls], stderr).toEqual([0, [[words, digestOf(input)]]]);
    }),
  );
});

test("3. too large a Bake file", { timeout }, async () => {
  expect(await run("bake --file -", Buffer.alloc(16 * MIB + 1, " "))).toEqual({
    code: 1,
    stderr: `millrace: the Bake file cannot be read: standard input has more than ${16 * MIB} bytes\n`,
    calls: [],
  });
});
