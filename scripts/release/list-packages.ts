/** Every package that package-lock.json names, as CycloneDX 1.6. Made from the lock file alone, so that the same one gives the same list. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "#server/build-folders.ts";
import type { Commit } from "./read-commit.ts";

/** What npm writes for one package; the fields that are used here. */
export interface LockedPackage {
  version?: string;
  license?: string;
  /** `sha512-<Base64>` */
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  dependencies?: { [name: string]: string };
  optionalDependencies?: { [name: string]: string };
}

export interface LockFile {
  packages: { [path: string]: LockedPackage };
}

/**
 * Packages that a server loads are `required`. All others are `excluded` from it: the build uses them, or puts them into what
 * browsers and the CLI run.
 */
export async function listPackages({ id, time }: Commit): Promise<string> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as LockFile;
  const { version = "" } = lock.packages[""] ?? {};
  const components = Object.entries(lock.packages).flatMap(([path, entry]) =>
    path === "" ? [] : [describePackage(path, entry)],
  );
  const product = { type: "application", "bom-ref": "millrace", name: "millrace", version };
  const dependencies = Object.entries(lock.packages).map(([path, entry]) => ({
    ref: path === "" ? product["bom-ref"] : path,
    dependsOn: findDependencies(lock, path, entry),
  }));
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
    dependencies,
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Where it is installed names a package: `node_modules/a/node_modules/@b/c`. */
export const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

function describePackage(
  path: string,
  { version = "", license, integrity = "", dev, devOptional }: LockedPackage,
) {
  const name = nameOf(path);
  const [, algorithm, content = ""] = /^(sha512)-(.+)$/.exec(integrity) ?? [];
  return {
    type: "library",
    "bom-ref": path,
    name,
    version,
    scope: dev || devOptional ? "excluded" : "required",
    ...(algorithm && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
    }),
    ...(license && { licenses: [licenseOf(license)] }),
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  };
}

/** An expression of SPDX, or a name that is not in SPDX's list. */
const licenseOf = (text: string) =>
  /^\(|\b(?:AND|OR|WITH)\b/.test(text)
    ? { expression: text }
    : { license: /^[\w.+-]+$/.test(text) ? { id: text } : { name: text } };

/** What Node.js finds from a package's folder: the nearest folder upward that has it. */
function findDependencies({ packages }: LockFile, path: string, entry: LockedPackage): string[] {
  const names = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
  return names.flatMap((name) => findUpward(packages, path, name) ?? []).toSorted();
}

function findUpward(packages: LockFile["packages"], path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[found]) return found;
    if (folder === "") return undefined;
  }
}

/** Version 8 of RFC 9562: bits of one's own. */
function toUuid(hex: string): string {
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join("-");
}
