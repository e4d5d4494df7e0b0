/**
 * The check "boundaries": every import follows the rules, and there are no import cycles between files, rooms, or folders of a
 * room, and none leads upward in a room whose folders have an order. Tests may import any room, but a room with an entry point only
 * through it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import {
  type Import,
  type ImportGraph,
  isCode,
  isTest,
  nameAcrossRooms,
  readGraph,
} from "../imports/import-graph.ts";
import { listFiles } from "../imports/list-files.ts";
import { findCycles } from "./find-cycles.ts";
import type { ImportRule } from "./import-rule.ts";
import { FREE, IMPORT_RULES, ruleOf } from "./import-rules.ts";
import { importTable } from "./import-table.ts";
import { checkLayerTable, findUpward } from "./layers.ts";
import type { CheckResult } from "./run-checks.ts";

export async function checkBoundaries(): Promise<CheckResult> {
  const whole = readGraph(listFiles().filter(isCode));
  const graph: ImportGraph = new Map([...whole].filter(([file]) => !isTest(file) && !isTestTool(file)));
  const failures = [
    ...findForbidden(graph),
    ...findRelative(whole),
    ...describeCycles(graph),
    ...findPastEntryPoints(whole, IMPORT_RULES),
    ...findUpward(graph, IMPORT_RULES),
    ...checkTable(),
    ...checkLayerTables(),
  ];
  return { passed: whole.size, failed: failures.length, report: failures.join("\n") };
}

/** @returns one message for each import that crosses a boundary, and for each file in no room. */
export function findForbidden(graph: ImportGraph): string[] {
  return [...graph].flatMap(([file, imports]) => {
    const rule = ruleOf(file);
    if (!rule)
      return FREE.test(file)
        ? []
        : [`${file} is in no room: name its folder in scripts/checks/import-rules.ts.`];
    return imports.flatMap((statement) => {
      const problem = problemOf(rule, statement);
      if (problem === null) return [];
      return [
        `${file}:${statement.line} imports "${statement.specifier}": ${problem} See "Where code goes" in CONTRIBUTING.md.`,
      ];
    });
  });
}

/** @returns one message for each import of another room that does not begin with the room's name. */
export function findRelative(graph: ImportGraph): string[] {
  const roomOfName = (name: string | null) => name?.split("/")[0];
  return [...graph].flatMap(([file, imports]) =>
    imports.flatMap(({ target, specifier, isAddress, line }) => {
      // Its own package.json cannot name folders outside of it.
      if (file.startsWith("cli/")) return [];
      const name = target === null || isAddress ? null : nameAcrossRooms(target);
      const isInside = roomOfName(name) === roomOfName(nameAcrossRooms(file));
      return name === null || isInside || !specifier.startsWith(".")
        ? []
        : [`${file}:${line} imports "${specifier}": write "${name}".`];
    }),
  );
}

function problemOf(rule: ImportRule, { target, specifier, isType }: Import): string | null {
  if (target === null)
    return allowsPackage(rule.packages, specifier) ? null : `${rule.room} may not use this package.`;
  const room = ruleOf(target)?.room ?? target;
  if (room === rule.room || rule.values.includes(room)) return null;
  if (rule.types?.includes(room)) return isType ? null : `${rule.room} may import only types of ${room}.`;
  return `${rule.room} may not import ${room}.`;
}

function allowsPackage(allowed: readonly string[], specifier: string): boolean {
  return allowed.some((name) =>
    name.endsWith("*")
      ? specifier.startsWith(name.slice(0, -1))
      : specifier === name || specifier.startsWith(`${name}/`),
  );
}

/**
 * @param graph with the tests
 * @returns one message for each import of another room's inside, and for each pending room that no longer has any.
 */
export function findPastEntryPoints(graph: ImportGraph, rules: readonly ImportRule[]): string[] {
  const roomOfFile = (file: string) => ruleOf(file)?.room;
  return rules.flatMap(({ room, entryPoint }) => {
    if (!entryPoint?.isEnforced) return [];
    const entryPoints = ["index.ts", ...(entryPoint.others ?? [])].map((name) => `src/${room}/${name}`);
    // Anyone may import data and fixtures next to the code.
    const past = [...graph].flatMap(([file, imports]) =>
      roomOfFile(file) === room
        ? []
        : imports.flatMap(({ target, specifier, line }) =>
            target !== null &&
            !entryPoints.includes(target) &&
            roomOfFile(target) === room &&
            isCode(target) &&
            !(isTestTool(target) && (isTest(file) || isTestTool(file) || file.startsWith("tests/")))
              ? [{ from: roomOfFile(file), message: `${file}:${line} imports "${specifier}"` }]
              : [],
          ),
    );
    const isPending = (from = "") => entryPoint.pending?.includes(from) ?? false;
    const settled = entryPoint.pending?.filter((name) => !past.some(({ from }) => from === name)) ?? [];
    return [
      ...past
        .filter(({ from }) => !isPending(from))
        .map(({ message }) => `${message}: import ${entryPoints.join(" or ")}, the entry point of ${room}.`),
      ...settled.map(
        (name) =>
          `${name} goes through the entry point of ${room}: remove it from "pending" in scripts/checks/import-rules.ts.`,
      ),
    ];
  });
}

/** Code of any room that only tests use. */
const isTestTool = (file: string) => file.includes("/testing/");

/** @returns one message for each circle of files, rooms, or folders of one room. */
export function describeCycles(graph: ImportGraph): string[] {
  const files = new Map([...graph].map(([file, imports]) => [file, targets(imports, (target) => target)]));
  const names: [what: string, arrows: Map<string, Set<string>>][] = [
    ["files", files],
    ["rooms", arrowsBetween(graph, roomOf)],
    ["folders", arrowsBetween(graph, folderOf)],
  ];
  return names.flatMap(([what, arrows]) =>
    findCycles(arrows).map(
      (cycle) => `These ${what} import each other, directly or through others: ${cycle.join(", ")}.`,
    ),
  );
}

const targets = (imports: Import[], nameOf: (file: string) => string | null) =>
  new Set(imports.flatMap(({ target }) => (target === null ? [] : (nameOf(target) ?? []))));

function arrowsBetween(
  graph: ImportGraph,
  nameOf: (file: string) => string | null,
): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const name = nameOf(file);
    if (name === null) continue;
    const found = arrows.get(name) ?? new Set();
    for (const target of targets(imports, nameOf)) if (target !== name) found.add(target);
    arrows.set(name, found);
  }
  return arrows;
}

/** A folder of `src`, or any other top-level folder as a whole. */
function roomOf(file: string): string | null {
  const [top = "", second = "", ...rest] = file.split("/");
  if (second === "") return null;
  return top === "src" && rest.length > 0 ? `${top}/${second}` : top === "src" ? null : top;
}

/** The first folder within a room; files next to it, such as the room's types, belong to all of its folders. */
function folderOf(file: string): string | null {
  const [top, room, folder, ...rest] = file.split("/");
  return top === "src" && rest.length > 0 ? `${top}/${room}/${folder}` : null;
}

const GUIDE = "CONTRIBUTING.md";

function checkTable(): string[] {
  const isThere = readFileSync(join(root, GUIDE), "utf8").includes(importTable());
  return isThere ? [] : [`${GUIDE} does not have this table under "Where code goes":\n\n${importTable()}\n`];
}

function checkLayerTables(): string[] {
  return IMPORT_RULES.flatMap(({ room, layers }) =>
    layers ? checkLayerTable(room, layers, readFileSync(join(root, `src/${room}/README.md`), "utf8")) : [],
  );
}
