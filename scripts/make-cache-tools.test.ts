/**
 * 1. The output of `npm run generate` matches the registry of build tools; otherwise it was forgotten.
 * 2. Each tool has an id that fits into an address, and speaks HTTP or gRPC.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheTools, type CacheTool } from "#cache/index.ts";
import { root } from "#server/pages/build-folders.ts";
import { makeCacheTools } from "./make-cache-tools.ts";

test("1. what is made from the registry", async () => {
  for (const [file, text] of await makeCacheTools()) {
    const message = `${file} is not what the registry says: run \`npm run generate\``;
    expect(readFileSync(join(root, file), "utf8"), message).toBe(text);
  }
});

const tools: [id: string, tool: CacheTool][] = Object.entries(cacheTools);

test.each(tools)("2. %s", (id, { http, grpc }) => {
  expect(id).toMatch(/^[a-z]+$/);
  expect(http ?? grpc, `tool.ts of ${id} has neither http nor grpc`).toBeDefined();
});
