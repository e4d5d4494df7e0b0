/**
 * 1. The server's code is loaded in production mode: React reads the variable once, and takes twice as long to render without it.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { buildFolders } from "./build-folders.ts";
import { loadServerBuild } from "./load-server-build.ts";

test("1. production's code", async () => {
  vi.stubEnv("NODE_ENV", "test");
  const folders = buildFolders(mkdtempSync(join(tmpdir(), "server-build-")));
  mkdirSync(join(folders.site, "server"), { recursive: true });
  writeFileSync(join(folders.site, "server", "index.js"), "export const mode = process.env.NODE_ENV;\n");
  writeFileSync(join(folders.build, "package.json"), '{"type":"module"}');
  expect(await loadServerBuild(folders)).toMatchObject({ mode: "production" });
  vi.unstubAllEnvs();
});
