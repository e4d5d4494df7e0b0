/**
 * 1. The organization is replaced where it is one of this server, and nowhere else.
 * 2. A page's only project is replaced, by id and as an image's name; several projects stay.
 * 3. A name that the server would not accept is never written: no quote, space or character of a shell gets into a sample.
 * 4. Replacements do not overlap, and everything around them stays, for any text and any names.
 * 5. In all pages of the documentation: every place where the samples' organization follows the server's host is found.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findSampleWords, isSafeName, type OwnNames, readPageWords, replaceAll } from "./sample-words.ts";

const HOST = "build.example:8443";
const own: OwnNames = {
  host: HOST,
  organization: "initech",
  project: { id: "prj_2m5vd8k0tb", name: "site" },
};

function shown(text: string, names: OwnNames = own, page: readonly string[] = [text]): string {
  return replaceAll(text, findSampleWords(text, readPageWords(page, HOST), names));
}

test.each([
  ["docker push build.example:8443/acme/web:1.4", "docker push build.example:8443/initech/site:1.4"],
  ["logged in as ada, organization acme", "logged in as ada, organization initech"],
  ["millrace orgs switch acme", "millrace orgs switch initech"],
  ["millrace whoami --org acme", "millrace whoami --org initech"],
  [
    "export MILLRACE_ORG=acme MILLRACE_PROJECT=prj_h6k3v9wm2s",
    "export MILLRACE_ORG=initech MILLRACE_PROJECT=prj_2m5vd8k0tb",
  ],
  ["build --remote_header=millrace-org=acme", "build --remote_header=millrace-org=initech"],
  [`{ "millrace-org" = "acme" }`, `{ "millrace-org" = "initech" }`],
  ["Millrace-Org: 'acme'", "Millrace-Org: 'initech'"],
  ["      TURBO_TEAM: acme", "      TURBO_TEAM: initech"],
  [`"organization":"acme"`, `"organization":"initech"`],
  [
    "ada (owner) in acme at https://build.example:8443",
    "ada (owner) in initech at https://build.example:8443",
  ],
  ["helm push shop.tgz oci://build.example:8443/acme", "helm push shop.tgz oci://build.example:8443/initech"],
])("1, 2. %s", (sample, expected) => {
  expect(shown(sample)).toBe(expected);
});

test.each([
  "ghcr.io/acme/web:1.4",
  "millrace projects update --trust github:acme/web",
  "https://login.acme.example",
  "com.acme:basket",
  "other.build.example:8443/acme/web",
  "build.example:8443/acme-labs/web",
  "build.example:8443/mirror/docker.io/library/alpine",
  "millrace orgs switch acme-labs",
  "--repo acme/shop",
])("1. %s stays", (sample) => {
  expect(shown(sample)).toBe(sample);
});

test("2. a page about several projects keeps them, in each of its samples", () => {
  const page = [
    `crane copy ${HOST}/acme/web ${HOST}/acme/web-production`,
    "prj_7q4hx2n9ds and prj_h6k3v9wm2s",
  ];
  expect(page.map((text) => shown(text, own, page))).toEqual([
    `crane copy ${HOST}/initech/web ${HOST}/initech/web-production`,
    "prj_7q4hx2n9ds and prj_h6k3v9wm2s",
  ]);
});

test("2. without a project, only the organization is replaced", () => {
  expect(shown(`${HOST}/acme/web prj_7q4hx2n9ds`, { ...own, project: null })).toBe(
    `${HOST}/initech/web prj_7q4hx2n9ds`,
  );
});

const hostile = [
  "$(rm -rf ~)",
  "`id`",
  "a;b",
  "a b",
  "a|b",
  "a&b",
  `a"b`,
  "a'b",
  "a\nb",
  "-rf",
  "../x",
  "<img src=x onerror=alert(1)>",
  "",
  "A".repeat(10),
  "a".repeat(64),
  "\u202Eacme",
  "$&",
];

test.each(hostile)("3. the name %j is not written", (name) => {
  const sample = `docker push ${HOST}/acme/web && MILLRACE_ORG=acme millrace build --project prj_7q4hx2n9ds`;
  expect(shown(sample, { ...own, organization: name, project: { id: "prj_2m5vd8k0tb", name } })).toBe(sample);
  expect(shown("prj_7q4hx2n9ds", { ...own, project: { id: name, name: "site" } })).toBe("prj_7q4hx2n9ds");
});

test("3. a safe name has only letters, digits, dots, dashes and underscores", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      if (isSafeName(name)) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*$/);
    }),
  );
});

test("4. any text", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("acme", `${HOST}/acme`, "/web", "prj_7q4hx2n9ds", "MILLRACE_ORG=", "organization ", " "),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.string(), (pieces, organization) => {
      const text = pieces.join("");
      const found = findSampleWords(text, readPageWords([text], HOST), { ...own, organization });
      for (const [index, { start, end }] of found.entries()) {
        expect(start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0);
        expect(end).toBeGreaterThan(start);
      }
      const kept = replaceAll(
        text,
        found.map((word) => ({ ...word, text: "" })),
      );
      expect(kept.length).toBe(text.length - found.reduce((sum, { start, end }) => sum + end - start, 0));
    }),
  );
});

test("5. the documentation's own samples", () => {
  const folder = join(import.meta.dirname, "../../../../../content/docs");
  const names = { ...own, organization: "initech" };
  let count = 0;
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".mdx")) continue;
    const text = readFileSync(join(folder, file), "utf8").replaceAll("{{host}}", HOST);
    const after = shown(text, names);
    count += findSampleWords(text, readPageWords([text], HOST), names).length;
    expect(after, file).not.toMatch(/build\.example:8443\/acme(?![\w-])/);
    expect(after, file).not.toMatch(/, organization acme(?![\w.-])/);
  }
  expect(count).toBeGreaterThan(150);
});
