import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./folders.ts";
import type { CheckResult } from "./run-checks.ts";

interface Boundary {
  /** Folders and files below `src/` that may be imported besides the folder itself; `content/` is the repository's data. */
  folders: string[];
  /** Folders of which only types may be imported. */
  types?: string[];
  /** Packages; `*` allows all. */
  packages: string[];
}

/** The table of CONTRIBUTING.md, "Where code goes". */
const boundaries: { [folder: string]: Boundary } = {
  platform: { folders: [], packages: ["*"] },
  search: { folders: [], packages: [] },
  records: { folders: [], types: ["content", "search"], packages: [] },
  content: { folders: ["platform", "site.config"], packages: ["*"] },
  "search-server": { folders: ["platform", "search"], packages: ["hono", "zod", "node:*"] },
  telemetry: { folders: ["platform"], packages: ["*"] },
  site: { folders: ["platform", "content", "content/", "site.config", "site-config", "telemetry/browser"], types: ["records", "search"], packages: ["*"] },
  console: { folders: ["site.config"], types: ["telemetry"], packages: ["*"] },
};

const importStatement =
  /^(?:(?:import|export)\b(\s+type\b)?[^"';=()]*?\bfrom\s*|import\s*)"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** Reads every import of every guarded folder; tests may import what they like of packages, not of other folders' insides. */
export async function checkBoundaries(): Promise<CheckResult> {
  const failures: string[] = [];
  let passed = 0;
  for (const [folder, boundary] of Object.entries(boundaries)) {
    const base = join(root, "src", folder);
    const files = await readdir(base, { recursive: true, withFileTypes: true });
    for (const file of files) {
      if (!file.isFile() || !/\.tsx?$/.test(file.name) || file.name.endsWith(".d.ts")) continue;
      const path = join(file.parentPath, file.name);
      const found = findForbidden(path, await readFile(path, "utf8"), folder, boundary);
      failures.push(...found);
      if (found.length === 0) passed += 1;
    }
  }
  return { passed, failed: failures.length, report: failures.join("\n") };
}

/** @returns one message for each import that crosses a boundary. */
export function findForbidden(file: string, code: string, folder: string, boundary: Boundary): string[] {
  const isTest = /\.test\.tsx?$/.test(file);
  return [...code.matchAll(importStatement)].flatMap(([, isType, from, dynamic]) => {
    const specifier = from ?? dynamic ?? "";
    const target = targetOf(specifier, file);
    if (target === folder) return [];
    const isAllowed =
      target === null
        ? isTest || allowsPackage(boundary.packages, specifier)
        : boundary.folders.includes(target) || (Boolean(isType) && (boundary.types ?? []).includes(target));
    if (isAllowed) return [];
    return [`${relative(root, file)} imports "${specifier}": src/${folder} may not. See "Where code goes" in CONTRIBUTING.md.`];
  });
}

/** The folder or file that an import leads to; null for a package. */
function targetOf(specifier: string, file: string): string | null {
  if (specifier === "#config") return "site.config";
  if (specifier.startsWith("#telemetry/browser/")) return "telemetry/browser";
  if (specifier.startsWith("#")) return specifier.slice(1).split("/")[0] ?? "";
  if (!specifier.startsWith(".")) return null;
  const path = relative(join(root, "src"), resolve(dirname(file), specifier));
  if (path.startsWith("../content/")) return "content/";
  if (path.startsWith("..")) return path.replace(/^(\.\.\/)+/, "").replace(/\.ts$/, "");
  return path.split("/")[0]?.replace(/\.tsx?$/, "") ?? "";
}

function allowsPackage(allowed: string[], specifier: string): boolean {
  return allowed.some((name) =>
    name.endsWith("*") ? specifier.startsWith(name.slice(0, -1)) : specifier === name || specifier.startsWith(`${name}/`),
  );
}
