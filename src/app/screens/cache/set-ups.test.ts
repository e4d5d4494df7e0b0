/**
 * 1. All lines to copy are in the tool's page, and so are the commands and the mark of the proof.
 * 2. Addresses are those of this server: with TLS and without it.
 * 3. Copying all lines puts a token where the tool reads it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillIn, readsToken, SET_TOKEN, SET_UPS } from "./set-ups.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test.each([...SET_UPS.keys()])("1. %s as its page says it", (tool) => {
  const page = read(`content/docs/cache/reference/${tool}.mdx`);
  const { files, twice, proof } = SET_UPS.get(tool) ?? expect.unreachable();
  for (const { text } of files) expect(page).toContain(text.replaceAll("{{org}}", "acme"));
  for (const command of twice) expect(page).toContain(command);
  expect(page).toContain(proof.mark);
});

test("2. addresses", () => {
  const text = "{{origin}}/cache/x grpcs://{{host}} {{org}}";
  expect(fillIn(text, { origin: "https://build.acme.example", organization: "acme" })).toBe(
    "https://build.acme.example/cache/x grpcs://build.acme.example acme",
  );
  expect(fillIn(text, { origin: "http://localhost:3000", organization: "acme" })).toBe(
    "http://localhost:3000/cache/x grpc://localhost:3000 acme",
  );
  for (const { files } of SET_UPS.values())
    for (const file of files)
      expect(fillIn(file.text, { origin: "https://a.b", organization: "acme" })).not.toMatch(/\{\{/);
});

test("3. the token", () => {
  expect(read("content/docs/cache/authentication.mdx")).toContain(`\n${SET_TOKEN}\n`);
  for (const setUp of SET_UPS.values()) {
    const lines = [
      readsToken(setUp) ? SET_TOKEN : "",
      ...setUp.files.map(({ text }) => text),
      ...setUp.twice,
    ];
    expect(lines.filter((line) => line.includes("_TOKEN=mr_user_your_token"))).toHaveLength(1);
  }
});
