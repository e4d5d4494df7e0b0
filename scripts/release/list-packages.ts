/**
 * Every package that a lock file names, as CycloneDX 1.6. Made from the lock files alone, so that the same lock files give the
 * same list.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import packageJson from "../../package.json" with { type: "json" };
import { LOCK_FILES, type NamedLockFile } from "./lock-files.ts";
import type { Commit } from "./read-commit.ts";

/** The fields used here of npm's entry for a package. */
interface LockedPackage {
  /** The package's name, if it is installed under another name. */
  name?: string;
  version?: string;
  license?: string;
  /** `sha512-<Base64>` */
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: { [name: string]: string };
  optionalDependencies?: { [name: string]: string };
}

interface LockFile {
  packages: { [path: string]: LockedPackage };
}

/** From packages that a server requires, to packages that it never loads. */
const SCOPES = ["required", "optional", "excluded"] as const;
type Scope = (typeof SCOPES)[number];

/** A package in one version, wherever it is installed. */
interface Package {
  purl: string;
  name: string;
  entry: LockedPackage;
  /** Identifies it where advisories do not use npm's package name. */
  cpe?: string;
  scope: Scope;
  places: string[];
  dependsOn: Set<string>;
}

const PRODUCT = "millrace";

/**
 * Packages that a server loads are `required`. Node.js for machines without it is `optional`. All others are `excluded`: only the
 * build uses them, or bundles them for browsers and the CLI.
 */
export async function listPackages({ id, time }: Commit): Promise<string> {
  const found = new Map<string, Package>();
  const direct = new Set<string>();
  for (const named of LOCK_FILES) {
    const lock = JSON.parse(await readFile(join(root, named.file), "utf8")) as LockFile;
    for (const [path, entry] of Object.entries(lock.packages)) {
      const dependsOn = findDependencies(lock, path, entry);
      if (path === "") dependsOn.forEach((purl) => direct.add(purl));
      else addPackage(found, { ...describePlace(named, path, entry), dependsOn: new Set(dependsOn) });
    }
  }
  const packages = [...found.values()];
  const components = packages.map(describePackage);
  const product = { type: "application", "bom-ref": PRODUCT, name: PRODUCT, version: packageJson.version };
  const hash = createHash("sha256")
    .update(`${id} ${JSON.stringify(components)}`)
    .digest("hex");
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${toUuid(hash)}`,
    version: 1,
    metadata: { timestamp: new Date(time * 1000).toISOString(), component: product },
    components,
    dependencies: [
      { ref: PRODUCT, dependsOn: [...direct].toSorted() },
      ...packages.map(({ purl, dependsOn }) => ({ ref: purl, dependsOn: [...dependsOn].toSorted() })),
    ],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** The package name in an install path: `node_modules/a/node_modules/@b/c`. */
export const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

const purlOf = (path: string, { name = nameOf(path), version = "" }: LockedPackage): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

function describePlace({ folder }: NamedLockFile, path: string, entry: LockedPackage) {
  const isNode = folder !== "";
  const scope: Scope = isNode ? "optional" : entry.dev || entry.devOptional ? "excluded" : "required";
  return {
    purl: purlOf(path, entry),
    name: entry.name ?? nameOf(path),
    entry,
    ...(isNode && { cpe: `cpe:2.3:a:nodejs:node.js:${entry.version}:*:*:*:*:*:*:*` }),
    scope,
    places: [folder + path],
  };
}

/** A package installed in two places is listed once, with the needs of both. */
function addPackage(found: Map<string, Package>, place: Package): void {
  const former = found.get(place.purl);
  if (!former) return void found.set(place.purl, place);
  former.places.push(...place.places);
  place.dependsOn.forEach((purl) => former.dependsOn.add(purl));
  if (SCOPES.indexOf(place.scope) < SCOPES.indexOf(former.scope)) former.scope = place.scope;
}

function describePackage({ purl, name, entry, cpe, scope, places }: Package) {
  const { version = "", license, integrity = "" } = entry;
  const [, algorithm, content = ""] = /^(sha512)-(.+)$/.exec(integrity) ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    scope,
    ...(algorithm && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
    }),
    ...(license && { licenses: [licenseOf(license)] }),
    ...(cpe && { cpe }),
    purl,
    evidence: { occurrences: places.map((location) => ({ location })) },
  };
}

/** An SPDX expression, or a name that is not in SPDX's list. */
const licenseOf = (text: string) =>
  /^\(|\b(?:AND|OR|WITH)\b/.test(text)
    ? { expression: text }
    : { license: /^[\w.+-]+$/.test(text) ? { id: text } : { name: text } };

/** Resolves like Node.js from a package's folder: the nearest folder upward that has it. */
function findDependencies({ packages }: LockFile, path: string, entry: LockedPackage): string[] {
  const names = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
  return names.flatMap((name) => findUpward(packages, path, name) ?? []);
}

function findUpward(packages: LockFile["packages"], path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const entry = packages[found];
    if (entry) return purlOf(found, entry);
    if (folder === "") return undefined;
  }
}

/** Version 8 of RFC 9562: custom bits. */
function toUuid(hex: string): string {
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join("-");
}
