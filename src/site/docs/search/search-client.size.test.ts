/** 1. The search client with its store, minified, is at most 3 KB of brotli: every page loads it. */
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";
import { expect, it } from "vitest";

const MAX_BYTES = 3000;
const entryId = "virtual:search";
const file = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

it("stays small (1)", async () => {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: true,
      rolldownOptions: { input: entryId, preserveEntrySignatures: "strict" },
    },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entryId ? id : null),
        load: (id) =>
          id === entryId
            ? `export * from ${file("search-client.ts")};export * from ${file("search-store.ts")}`
            : null,
      },
    ],
  });
  if (!("output" in output)) throw new Error("The build gave no single output.");
  expect(output.output).toHaveLength(1);
  const [{ code }] = output.output;
  expect(code).toContain("multi-search");
  expect(code).toContain("stalled");
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(MAX_BYTES);
});
