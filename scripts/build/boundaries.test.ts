/**
 * 1. Imports inside a folder are allowed, and so are those of the table.
 * 2. Another folder, a package, a dynamic import and a re-export that the table does not name are found.
 * 3. A folder of which types may be imported gives nothing else.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { findForbidden } from "./boundaries.ts";
import { root } from "./folders.ts";

const file = join(root, "src/records/x.ts");
const boundary = { folders: ["search"], types: ["content"], packages: ["node:*", "zod"] };
const find = (code: string) => findForbidden(file, code, "records", boundary);

test.each([
  'import { a } from "./y.ts";',
  'import { a } from "#records/y.ts";',
  'import { a } from "#search/index.ts";',
  'import type { Page } from "#content/types.ts";',
  'import {\n  a,\n  b,\n} from "zod";',
  'import "node:fs";',
])("1. allowed: %s", (code) => {
  expect(find(code)).toEqual([]);
});

test.each([
  'import { a } from "../content/y.ts";',
  'import { a } from "#site/y.ts";',
  'import React from "react";',
  'export { a } from "zod-extra";',
  'const a = await import("fs-extra");',
  'import { siteConfig } from "../../site.config.ts";',
])("2. forbidden: %s", (code) => {
  expect(find(code)).toHaveLength(1);
});

test("3. values of a folder that gives types only", () => {
  expect(find('import { parsePage } from "#content/parse-page.ts";')[0]).toContain("may not");
});
