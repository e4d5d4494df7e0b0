/**
 * 1. A release knows every lock file that git lists.
 * 2. The package list has every package of the lock files once, with purl, places, checksum and dependencies; it names each
 *    Node.js in a form that scanners know.
 * 3. The same lock files and commit give the same list, with its own serial number.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { listPackages, nameOf } from "./list-packages.ts";
import { LOCK_FILES } from "./lock-files.ts";

const commit = { id: "0123456789abcdef0123456789abcdef01234567", time: 1_795_768_776 };
const listed = ["ls-files", "package-lock.json", "**/package-lock.json"];
const lockFiles = execFileSync("git", listed, { cwd: root, encoding: "utf8" }).trim().split("\n").toSorted();

interface Entry {
  name?: string;
  version: string;
  dev?: boolean;
}

test("1. every lock file", () => {
  expect(LOCK_FILES.map(({ file }) => file).toSorted()).toEqual(lockFiles);
});

test("2. packages", async () => {
  const bom = JSON.parse(await listPackages(commit)) as Bom;
  const installed = new Map(
    lockFiles.flatMap((file) => {
      const lock = JSON.parse(readFileSync(join(root, file), "utf8")) as { packages: { [p: string]: Entry } };
      const folder = file.slice(0, -"package-lock.json".length);
      return Object.entries(lock.packages).flatMap(([path, entry]) =>
        path === "" ? [] : [[folder + path, entry] as const],
      );
    }),
  );
  const placesOf = ({ evidence }: Component) => evidence.occurrences.map(({ location }) => location);
  expect(bom.components.flatMap(placesOf).toSorted()).toEqual([...installed.keys()].toSorted());
  expect(new Set(bom.components.map(({ purl }) => purl)).size).toBe(bom.components.length);
  for (const component of bom.components) {
    expect(component["bom-ref"]).toBe(component.purl);
    expect(component.hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    const entries = placesOf(component).map((place) => ({
      name: nameOf(place),
      ...(installed.get(place) as Entry),
    }));
    for (const { name, version } of entries) {
      expect(component.name).toBe(name);
      expect(component.purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    }
    if (entries.every(({ dev }) => dev)) expect(component.scope).toBe("excluded");
  }
  const find = (name: string) => bom.components.find((component) => component.name === name);
  expect(find("hono")).toMatchObject({ scope: "required", licenses: [{ license: { id: "MIT" } }] });
  const known = new Set(["millrace", ...bom.components.map(({ purl }) => purl)]);
  expect(bom.dependencies.map(({ ref }) => ref).toSorted()).toEqual([...known].toSorted());
  for (const { dependsOn } of bom.dependencies)
    for (const dependency of dependsOn) expect(known).toContain(dependency);
  // Some package depends on each package that a server may load.
  const needed = new Set(bom.dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect(bom.components.filter(({ scope, purl }) => scope !== "excluded" && !needed.has(purl))).toEqual([]);
  // Advisories do not use npm's package names for Node.js.
  for (const [place, { version }] of installed)
    if (place.startsWith("runtime/"))
      expect(find(nameOf(place))).toMatchObject({
        scope: "optional",
        cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
      });
});

test("3. the same list again", async () => {
  const text = await listPackages(commit);
  expect(await listPackages(commit)).toBe(text);
  const other = await listPackages({ ...commit, id: "f".repeat(40) });
  expect(serialNumber(other)).not.toBe(serialNumber(text));
});

const serialNumber = (text: string) => (JSON.parse(text) as { serialNumber: string }).serialNumber;

interface Component {
  "bom-ref": string;
  name: string;
  purl: string;
  scope: string;
  hashes: { content: string }[];
  evidence: { occurrences: { location: string }[] };
}

interface Bom {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
