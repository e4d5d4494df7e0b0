/**
 * 1. A frame of a built file is mapped to the source by the debug id, or by the file's name: file, line, function, lines
 *    around. Frames without a map stay as sent; a damaged map does no harm.
 * 2. The same error of two builds has one fingerprint: hashes in names, lines and columns do not count. Errors thrown in
 *    other functions, or of another type, have different fingerprints.
 * 3. Without frames of the site, the message counts, regardless of its numbers, identifiers and addresses.
 * 4. The server's own frames are named from the repository; paths of the machine are not stored.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { build } from "vite";
import type { ErrorReport, RawFrame } from "../contract/types.ts";
import type { ErrorFrame } from "../contract/types.ts";
import { createErrorMapper, fingerprintOf, normalizeMessage } from "./map-error.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, "");

const source = `export function openIndex(name: string): string {
  const label = name.toUpperCase();
  if (label === "") {
    throw new RangeError("No index " + Date.now());
  }
  return label;
}

export const start = (names: string[]) => {
  for (const name of names) document.title = openIndex(name);
};

start(["one", ""]);
`;

/** Bundles and minifies the source as the site's build does. */
async function buildSource(code = source) {
  const folder = mkdtempSync(join(tmpdir(), "maps-"));
  const entry = join(folder, "src", "site", "open-index.ts");
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: "silent",
    build: { write: false, sourcemap: "hidden", rollupOptions: { input: "virtual-entry" } },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "virtual-entry" ? entry : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  });
  const output = (Array.isArray(result) ? result[0] : result) as { output: BuiltFile[] };
  const chunk = output.output.find((file) => file.type === "chunk");
  if (!chunk?.code || !chunk.map) throw new Error("Nothing was built.");
  return { folder, fileName: chunk.fileName, code: chunk.code, map: JSON.stringify(chunk.map) };
}

interface BuiltFile {
  type: string;
  fileName: string;
  code?: string;
  map?: unknown;
}

/** The place in the built code where the error is thrown, as a browser reports it. */
function thrownAt({ code, fileName }: { code: string; fileName: string }): RawFrame {
  const lines = code.split("\n");
  const line = lines.findIndex((text) => text.includes("throw"));
  const column = (lines[line] ?? "").indexOf("throw") + 1;
  const file = `https://docs.example.com/${fileName}`;
  return { file, line: line + 1, column, function: "e", isInApp: true, debugId: null };
}

function reportOf(frames: RawFrame[], platform: ErrorReport["platform"] = "browser"): ErrorReport {
  return {
    eventId: "a".repeat(32),
    at: 1,
    platform,
    type: "RangeError",
    value: "No index",
    release: "1",
    environment: "test",
    path: "/docs",
    browser: "Chrome",
    frames,
  };
}

const framesOf = (row: { frames: string }) => JSON.parse(row.frames) as ErrorFrame[];

test("1. frames are mapped to the source", async () => {
  const built = await buildSource();
  const debugId = "0b6f1a52-3c4d-4e5f-8a9b-0c1d2e3f4a5b";
  const maps = mkdtempSync(join(tmpdir(), "maps-"));
  writeFileSync(
    join(maps, `${debugId}.json`),
    JSON.stringify({ ...(JSON.parse(built.map) as object), debugId }),
  );
  writeFileSync(join(maps, "other-00000000.js.map"), "{ damaged");
  const toRow = createErrorMapper({ sourceMaps: maps, root });
  const frame = thrownAt(built);
  const expected = { file: "src/site/open-index.ts", line: 4, function: "openIndex", isInApp: true };
  const byId = toRow(reportOf([{ ...frame, file: "https://docs.example.com/renamed.js", debugId }]));
  expect(framesOf(byId)[0]).toMatchObject(expected);
  expect(byId.culprit).toBe("src/site/open-index.ts in openIndex");
  const { context } = framesOf(byId)[0] ?? {};
  expect(context?.lines[context.at]).toContain("throw new RangeError");
  expect(context?.firstLine).toBe(1);
  writeFileSync(join(maps, `${built.fileName.replace(/.*\//, "")}.map`), built.map);
  expect(framesOf(createErrorMapper({ sourceMaps: maps, root })(reportOf([frame])))[0]).toMatchObject(
    expected,
  );
  const unknown = [{ ...frame, file: "https://docs.example.com/assets/other-00000000.js" }];
  expect(framesOf(toRow(reportOf(unknown)))[0]).toMatchObject({
    file: "/assets/other-00000000.js",
    context: null,
  });
  const withoutMaps = createErrorMapper({ sourceMaps: join(maps, "missing"), root });
  expect(framesOf(withoutMaps(reportOf([frame])))[0]?.line).toBe(frame.line);
}, 30_000);

test("2. one fingerprint for the same error of two builds", async () => {
  const fingerprint = async (code: string, type = "RangeError") => {
    const built = await buildSource(code);
    const maps = mkdtempSync(join(tmpdir(), "maps-"));
    writeFileSync(join(maps, `${built.fileName.replace(/.*\//, "")}.map`), built.map);
    return createErrorMapper({ sourceMaps: maps, root })({ ...reportOf([thrownAt(built)]), type })
      .fingerprint;
  };
  const first = await fingerprint(source);
  expect(await fingerprint(`// A new line.\n\n${source}`)).toBe(first);
  expect(await fingerprint(source.replaceAll("openIndex", "closeIndex"))).not.toBe(first);
  expect(await fingerprint(source, "TypeError")).not.toBe(first);
  const frame: ErrorFrame = {
    file: "/assets/a-CFrkd1x3.js",
    line: 1,
    column: 2,
    function: "e",
    isInApp: true,
    context: null,
  };
  const other = { ...frame, file: "/assets/a-Dk_93-x1.js", line: 7 };
  expect(fingerprintOf({ type: "E", value: "" }, [frame])).toBe(
    fingerprintOf({ type: "E", value: "" }, [other]),
  );
}, 60_000);

test.each([
  ["Request 17 took 30.5 ms", "Request <n> took <n> ms"],
  ["No session 01a1fc2d-26f7-7798-aea1-fa75d352d7ea", "No session <id>"],
  ["Failed: https://example.com/a?b=1 (404)", "Failed: <url> (<n>)"],
  ["deadbeef1234 is gone", "<id> is gone"],
  ["facade decade", "facade decade"],
])("3. %s", (message, normalized) => {
  expect(normalizeMessage(message)).toBe(normalized);
  const print = (value: string) => fingerprintOf({ type: "Error", value }, []);
  expect(print(message)).toBe(print(message));
  expect(print(message)).not.toBe(print("something else"));
});

test("4. the server's own frames", () => {
  const toRow = createErrorMapper({ sourceMaps: null, root });
  const frame = { line: 3, column: 1, function: "run", isInApp: true, debugId: null };
  const row = toRow(
    reportOf(
      [
        { ...frame, file: new URL("../contract/limits.ts", import.meta.url).href },
        { ...frame, file: "/home/somebody/secret/x.ts" },
        { ...frame, file: "node:fs" },
        { ...frame, file: join(root, "package-lock.json") },
      ],
      "server",
    ),
  );
  const frames = framesOf(row);
  expect(frames.map(({ file, isInApp }) => [file, isInApp])).toEqual([
    ["src/telemetry/contract/limits.ts", true],
    ["x.ts", false],
    ["node:fs", false],
    ["package-lock.json", true],
  ]);
  expect(frames[0]?.context?.lines.join("\n")).toContain("bodyBytes");
  expect(frames[3]?.context).toBeNull();
  expect(row.frames).not.toContain(root);
});
