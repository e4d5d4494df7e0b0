/**
 * 1. Imports inside a room and imports that the table allows are accepted.
 * 2. Imports of another room, of a package, and of a value from a types-only room are found anywhere in a file; so is a folder of
 *    `src` that no rule names.
 * 3. Circles are found between files, rooms and folders, however long; types count.
 * 4. Every form of reference is read: multi-line statements, dynamic imports, workers, re-exports.
 * 5. An import of another room's inside, in tests too, is pointed to its entry point; a pending room's is not, until none are left.
 * 6. Imports of another room use its name, not a path, also in tests; files that are started by an address are exempt.
 * 7. In a room whose folders have an order, an import from a lower folder into a higher one, or into a file next to the folders,
 *    is found; so are a folder without a place, a place without a folder, and a README with another order.
 */
import { expect, test } from "vitest";
import { type ImportGraph, resolveImport } from "../imports/import-graph.ts";
import { readImports } from "../imports/read-imports.ts";
import { describeCycles, findForbidden, findPastEntryPoints, findRelative } from "./boundaries.ts";
import type { EntryPoint } from "./import-rule.ts";
import { checkLayerTable, findUpward } from "./layers.ts";

const graphOf = (files: { [file: string]: string }): ImportGraph =>
  new Map(
    Object.entries(files).map(([file, code]) => [
      file,
      readImports(file, code).map((found) => ({ ...found, target: resolveImport(found.specifier, file) })),
    ]),
  );
const forbidden = (file: string, code: string) => findForbidden(graphOf({ [file]: code }));

test.each([
  ["src/search-server/x.ts", 'import { a } from "./y.ts";'],
  ["src/search-server/x.ts", 'import { a } from "#search-server/routes/y.ts";'],
  ["src/search-server/x.ts", 'import { a } from "#search/index.ts";'],
  ["src/site/docs/x.tsx", 'import type { Page } from "#docs/content/types.ts";'],
  ["src/search-server/x.ts", 'import {\n  a,\n  b,\n} from "zod";'],
  ["src/search-server/x.ts", 'import "node:fs";'],
  ["src/app/.server/x.ts", 'import { a } from "#telemetry/queries/y.ts";'],
  ["scripts/x.ts", 'import { a } from "#site/y.ts";'],
])("1. allowed in %s: %s", (file, code) => {
  expect(forbidden(file, code)).toEqual([]);
});

test.each([
  ["src/search-server/x.ts", 'import { a } from "../docs/content/y.ts";'],
  ["src/search-server/x.ts", 'import { a } from "#site/y.ts";'],
  ["src/search-server/x.ts", 'import React from "react";'],
  ["src/search-server/x.ts", 'export { a } from "zod-extra";'],
  ["src/search-server/x.ts", 'export * from "#telemetry/types.ts";'],
  ["src/search-server/x.ts", 'const a = await import("fs-extra");'],
  ["src/search-server/x.ts", 'new Worker(new URL("../telemetry/worker.ts", import.meta.url));'],
  ["src/search/x.ts", 'import { a } from "node:fs";'],
  ["src/platform/x.ts", 'import { siteConfig } from "../../site.config.ts";'],
  ["src/site/docs/x.tsx", 'import { parsePage } from "#docs/content/page/parse-page.ts";'],
  ["src/app/pages/x.tsx", 'import { a } from "#telemetry/queries/y.ts";'],
  ["src/server/x.ts", 'import { build } from "../../scripts/steps/build.ts";'],
  ["src/newcomer/x.ts", ""],
])("2. forbidden in %s: %s", (file, code) => {
  expect(forbidden(file, code)).toHaveLength(1);
});

test("3. circles", () => {
  const circle = graphOf({
    "src/search/a.ts": 'import { b } from "./b.ts";',
    "src/search/b.ts": 'import type { C } from "./c.ts";',
    "src/search/c.ts": 'export * from "./a.ts";',
    "src/search/d.ts": 'import { a } from "./a.ts";',
  });
  expect(describeCycles(circle)).toEqual([
    "These files import each other, directly or through others: src/search/a.ts, src/search/b.ts, src/search/c.ts.",
  ]);
  const rooms = graphOf({
    "src/app/a.ts": 'import { b } from "#telemetry/b.ts";',
    "src/telemetry/c.ts": 'import { d } from "#app/d.ts";',
  });
  expect(describeCycles(rooms).join()).toContain(
    "These rooms import each other, directly or through others: src/app, src/telemetry",
  );
  const folders = graphOf({
    "src/search/query/a.ts": 'import { b } from "../rank/b.ts";',
    "src/search/rank/c.ts": 'import { d } from "../query/d.ts";',
  });
  expect(describeCycles(folders).join()).toContain("src/search/query, src/search/rank");
  const straight = graphOf({
    "src/search/query/a.ts": 'import { b } from "../rank/b.ts"; import type { T } from "../types.ts";',
    "src/search/rank/c.ts": 'import { d } from "../types.ts";',
    "src/search/index.ts": 'export { a } from "./query/a.ts";',
  });
  expect(describeCycles(straight)).toEqual([]);
});

test("4. every way to name another file", () => {
  const code = [
    'import type { A } from "./a.ts";',
    'import { type B, type C } from "./b.ts";',
    "import {",
    "  d,",
    '} from "./d.ts";',
    'export type { E } from "./e.ts";',
    'export * as f from "./f.ts";',
    'const g = () => import("./g.ts");',
    'new Worker(new URL("./h.ts", import.meta.url));',
    'import "./i.css";',
    "// import './not.ts'",
    'const text = `import "./not.ts"`;',
  ].join("\n");
  expect(readImports("x.ts", code).map(({ specifier, isType, line }) => [specifier, isType, line])).toEqual([
    ["./a.ts", true, 1],
    ["./b.ts", true, 2],
    ["./d.ts", false, 3],
    ["./e.ts", true, 6],
    ["./f.ts", false, 7],
    ["./g.ts", false, 8],
    ["./h.ts", false, 9],
    ["./i.css", false, 10],
  ]);
  expect(() => readImports("x.ts", "import {")).toThrow("x.ts cannot be parsed");
});

test("5. entry points", () => {
  const past = (files: { [file: string]: string }, entryPoint: Partial<EntryPoint> = {}) =>
    findPastEntryPoints(graphOf(files), [
      {
        room: "search",
        has: /^src\/search\//,
        values: [],
        packages: [],
        entryPoint: { isEnforced: true, ...entryPoint },
      },
    ]);
  const open = {
    "src/site/a.test.ts": 'import type { Hit } from "#search/index.ts";',
    "src/search/query/a.test.ts": 'import { b } from "../rank/b.ts";',
    "src/search-server/a.ts": 'new URL("../search/file/fixtures/format-1.index", import.meta.url);',
    "src/server/a.test.ts": 'import { documents } from "#search/testing/match.ts";',
  };
  expect(past(open)).toEqual([]);
  const inside = { "src/search-server/a.test.ts": 'import type { Json } from "#search/types.ts";' };
  expect(past(inside)).toEqual([
    'src/search-server/a.test.ts:1 imports "#search/types.ts": import src/search/index.ts, the entry point of search.',
  ]);
  expect(past(inside, { isEnforced: false })).toEqual([]);
  expect(past(inside, { pending: ["search-server"] })).toEqual([]);
  expect(past(open, { pending: ["search-server"] }).join()).toContain('remove it from "pending"');
});

test("6. names of rooms", () => {
  const open = {
    "src/search-server/a.ts": 'import { b } from "./b.ts"; import { c } from "#search/index.ts";',
    "src/search-server/routes/a.test.ts": 'import { b } from "../b.ts"; import "../../../tests/x.ts";',
    "src/server/a.ts": 'new Worker(new URL("../telemetry/worker.ts", import.meta.url));',
    "tests/a.ts": 'import { b } from "./b.ts";',
  };
  expect(findRelative(graphOf(open))).toEqual([]);
  const past = {
    "src/server/a.test.ts": 'import type { Hit } from "../search/index.ts";',
    "tests/a.ts": 'const { siteConfig } = await import("../site.config.ts");',
  };
  expect(findRelative(graphOf(past))).toEqual([
    'src/server/a.test.ts:1 imports "../search/index.ts": write "#search/index.ts".',
    'tests/a.ts:1 imports "../site.config.ts": write "#config".',
  ]);
});

test("7. layers", () => {
  const layers = ["rank", "query", "text"];
  const upward = (files: { [file: string]: string }) =>
    findUpward(graphOf(files), [
      { room: "search", has: /^src\/search\//, values: [], packages: [], layers },
      { room: "ui", has: /^src\/ui\//, values: [], packages: [] },
    ]);
  const downward = {
    "src/search/index.ts": 'export { a } from "./rank/a.ts"; import type { T } from "./text/t.ts";',
    "src/search/rank/a.ts": 'import { t } from "../text/t.ts";\nimport { b } from "./b.ts";',
    "src/search/query/a.ts": 'import { t } from "../text/words/t.ts"; import "node:fs";',
    "src/search/text/words/t.ts": 'import { b } from "#platform/text/b.ts";',
    "src/ui/a.ts": 'import { b } from "./low/b.ts";',
    "src/ui/low/b.ts": 'import { b } from "../c.ts";',
  };
  expect(upward(downward)).toEqual([]);
  expect(
    upward({
      ...downward,
      "src/search/query/a.ts":
        'import type { T } from "../types.ts";\nimport { a } from "#search/rank/a.ts";',
    }),
  ).toEqual([
    'src/search/query/a.ts:1 imports "../types.ts": files next to the folders are above all folders. Move what both need into a folder below both, or pass it as an argument.',
    'src/search/query/a.ts:2 imports "#search/rank/a.ts": rank is above query in src/search/README.md. Move what both need into a folder below both, or pass it as an argument.',
  ]);
  const { "src/search/query/a.ts": _gone, ...less } = downward;
  expect(
    upward({
      ...less,
      "src/search/sort/a.ts": 'import { t } from "../text/t.ts";',
      "src/search/rank/c.ts": 'import { a } from "../sort/a.ts";',
    }),
  ).toEqual([
    'src/search/sort has no place in the order: add it to "layers" in scripts/checks/import-rules.ts.',
    'src/search/query has no code: remove it from "layers" in scripts/checks/import-rules.ts.',
  ]);
  const table = "| where | what |\n| - | - |\n| here | x |\n| `rank/` | x |\n| `query/` | `text/` |\n";
  expect(checkLayerTable("search", layers, `${table}| \`text/\` | x |\n`)).toEqual([]);
  expect(checkLayerTable("search", layers, table)).toEqual([
    "src/search/README.md needs a table with one row for each folder, in this order: `rank/`, `query/`, `text/`. It has: rank, query.",
  ]);
});
