/**
 * Properties of our packages that can be checked without a network:
 * 1. Every package has a SHA-512 checksum and comes from a registry: no Git addresses, no other archives.
 * 2. Every licence is on the list, and each exception is still needed.
 * 3. Each package.json next to a lock file names only exact versions, and the lock file has the same versions.
 * 4. No package's install script is run, and only known packages have one.
 * The rest needs a network:
 * 5. A workflow checks each lock file for advisories, and fails on any.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "#server/pages/build-folders.ts";
import { nameOf } from "./release/list-packages.ts";
import { LOCK_FILES } from "./release/lock-files.ts";

interface Entry {
  version: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const readLock = (file: string): [string, Entry][] =>
  Object.entries(
    (JSON.parse(readFileSync(join(root, file), "utf8")) as { packages: { [path: string]: Entry } }).packages,
  ).filter(([path]) => path !== "");
const packages = LOCK_FILES.flatMap(({ file }) => readLock(file));

/** SPDX names. MPL-2.0 covers changes to its own files only, and we make none. */
const LICENSES = new Set(
  "MIT MIT-0 MIT/X11 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 MPL-2.0 OFL-1.1 Python-2.0 BlueOak-1.0.0 Unlicense CC0-1.0 CC-BY-4.0 Zlib".split(
    " ",
  ),
);

/** Packages whose licence the lock file does not state. */
const UNSTATED: { [name: string]: string } = {
  busboy: "MIT, in the former form that npm does not read",
  dicer: "MIT, in the former form",
  format: "MIT, in the former form",
  "hogan.js": "Apache-2.0, in the former form",
  streamsearch: "MIT, in the former form",
  "humanize-number": "MIT, in its Readme.md; only tests load it",
  only: "MIT, in its Readme.md; only tests load it",
};

/** `AND`: both sides must be allowed. `OR`: one side. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, "")
    .split(/ AND /)
    .every((part) => part.split(/ OR /).some((license) => LICENSES.has(license)));

test("1. checksums", () => {
  const unchecked = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""));
  expect(unchecked.map(([path]) => path)).toEqual([]);
  const elsewhere = packages.filter(
    ([, { resolved, link }]) =>
      link === true || (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/")),
  );
  expect(elsewhere.map(([path]) => path)).toEqual([]);
  expect(packages.length).toBeGreaterThan(900);
});

test("2. licences", () => {
  const stated = packages.filter(([, { license }]) => license !== undefined);
  expect(
    stated
      .filter(([, { license }]) => !isAllowed(license!))
      .map(([path, { license }]) => `${path}: ${license}`),
  ).toEqual([]);
  const unstated = packages
    .filter(([, { license }]) => license === undefined)
    .map(([path]) => nameOf(path))
    .toSorted();
  expect(unstated).toEqual(Object.keys(UNSTATED).toSorted());
  expect(["MIT OR GPL-3.0-only", "(MIT AND Zlib)"].map(isAllowed)).toEqual([true, true]);
  expect(["GPL-3.0-only", "MIT AND GPL-3.0-only", "UNLICENSED", ""].map(isAllowed)).toEqual(
    Array.from({ length: 4 }, () => false),
  );
});

test.each(LOCK_FILES)("3. exact versions of $file", ({ file, folder }) => {
  const locked = new Map(readLock(file));
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  ) as { [kind: string]: { [name: string]: string } };
  const named = Object.entries({ ...dependencies, ...devDependencies });
  expect(named).not.toEqual([]);
  for (const [name, version] of named) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    expect(locked.get(`node_modules/${name}`)?.version, name).toBe(version);
  }
});

test("4. install scripts", () => {
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => nameOf(path)).toSorted()).toEqual([
    "@bufbuild/buf",
    "core-js",
    "protobufjs",
  ]);
});

test("5. advisories", () => {
  const text = readFileSync(join(root, ".github/workflows/advisories.yml"), "utf8");
  const { jobs } = parse(text) as { jobs: { audit: { steps: { run?: string }[] } } };
  const steps = jobs.audit.steps.flatMap(({ run }) => run ?? []);
  const programs = mkdtempSync(join(tmpdir(), "npm-"));
  const [npm, asked] = [join(programs, "npm"), join(programs, "asked")];
  writeFileSync(npm, '#!/bin/sh\necho "$PWD" >> "$ASKED"\n[ "$1 $PWD" != "audit $KNOWN" ]\n');
  chmodSync(npm, 0o755);
  /** @returns whether each step passed, as run by GitHub, given a known advisory against a folder's packages */
  const audit = (known = "") =>
    steps.map((step) => {
      const env = {
        ...process.env,
        PATH: programs + delimiter + process.env["PATH"],
        ASKED: asked,
        KNOWN: known,
      };
      return spawnSync("bash", ["-e", "-c", step], { cwd: root, env }).status === 0;
    });
  expect(audit()).not.toContain(false);
  const folders = new Set(readFileSync(asked, "utf8").trim().split("\n"));
  expect([...folders].toSorted()).toEqual(LOCK_FILES.map(({ folder }) => resolve(root, folder)).toSorted());
  for (const folder of folders) expect(audit(folder), folder).toContain(false);
});
