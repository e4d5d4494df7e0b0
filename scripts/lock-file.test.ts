/**
 * What can be told of our packages without a network:
 * 1. Every package has a SHA-512 checksum and comes from a registry: no address of Git, no archive of anybody's.
 * 2. Every licence is on the list, and each exception is still needed.
 * 3. package.json names exact versions alone, and the lock file has the same ones.
 * 4. No package's install script is run, and no more packages have one than are known.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/build-folders.ts";
import packageJson from "../package.json" with { type: "json" };
import { nameOf } from "./release/list-packages.ts";

interface Entry {
  version: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const RUNTIMES = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];
const FILES = ["package-lock.json", ...RUNTIMES.map((name) => `runtime/${name}/package-lock.json`)];

const readLock = (file: string): [string, Entry][] =>
  Object.entries(
    (JSON.parse(readFileSync(join(root, file), "utf8")) as { packages: { [path: string]: Entry } }).packages,
  ).filter(([path]) => path !== "");
const packages = FILES.flatMap(readLock);

/** Of SPDX. MPL-2.0 concerns changes of its own files alone, and we change none. */
const LICENSES = new Set(
  "MIT MIT-0 MIT/X11 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 MPL-2.0 OFL-1.1 Python-2.0 BlueOak-1.0.0 Unlicense CC0-1.0 CC-BY-4.0 Zlib".split(
    " ",
  ),
);

/** The lock file has no licence of theirs. */
const UNSTATED: { [name: string]: string } = {
  busboy: "MIT, in the former form that npm does not read",
  dicer: "MIT, in the former form",
  format: "MIT, in the former form",
  "hogan.js": "Apache-2.0, in the former form",
  streamsearch: "MIT, in the former form",
  "humanize-number": "MIT, in its Readme.md; only tests load it",
  only: "MIT, in its Readme.md; only tests load it",
};

/** Each side of `AND` has to be allowed, one side of `OR`. */
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

test("3. exact versions", () => {
  const locked = new Map(readLock("package-lock.json"));
  for (const [name, version] of Object.entries({
    ...packageJson.dependencies,
    ...packageJson.devDependencies,
  })) {
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
