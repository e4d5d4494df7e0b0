/**
 * 1. One process at a time has a folder; for a second process, the error names the first, with its address and process id.
 * 2. A process that was killed leaves no lock.
 * 3. The folder becomes private, with all files directly in it. Files in subfolders keep their modes, which are the content of
 *    layer caches; links are not followed.
 * 4. A file is replaced whole: whatever fails, the old content stays and no temporary file is left.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FolderInUseError, openDataFolder } from "./data-folder.ts";
import { writeDurably } from "../files/durable.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "data-folder-"));
const module = new URL("data-folder.ts", import.meta.url).href;
const holding = (folder: string) =>
  `const { openDataFolder } = await import(${JSON.stringify(module)});
   openDataFolder(${JSON.stringify(folder)}, "http://localhost:3999");
   gc(); console.log("held"); setInterval(() => {}, 1000);`;

test("1. and 2. one process", async () => {
  const folder = newFolder();
  const other = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", holding(folder)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(other.stdout, "data");
  const pattern = new RegExp(`in use by the server at http://localhost:3999 \\(process ${other.pid}, since `);
  expect(() => openDataFolder(folder, "here")).toThrow(pattern);
  expect(() => openDataFolder(folder, "here")).toThrow(FolderInUseError);
  other.kill("SIGKILL");
  await once(other, "exit");
  openDataFolder(folder, "here").close();
  openDataFolder(folder, "here").close();
});

test.skipIf(process.platform === "win32")("3. private", () => {
  const folder = join(newFolder(), "data");
  const outside = join(newFolder(), "outside");
  const layer = join(folder, "builders", "prj_0123456789", "layer");
  const program = join(layer, "sh");
  mkdirSync(layer, { recursive: true });
  for (const [file, mode] of [
    [outside, 0o644],
    [join(folder, "secret.key"), 0o644],
    [program, 0o4755],
  ] as const) {
    writeFileSync(file, "");
    chmodSync(file, mode);
  }
  chmodSync(layer, 0o1777);
  chmodSync(folder, 0o755);
  symlinkSync(outside, join(folder, "link"));
  openDataFolder(folder, "here").close();
  openDataFolder(folder, "here").close();
  const modeOf = (path: string) => statSync(path).mode & 0o7777;
  expect(modeOf(folder)).toBe(0o700);
  expect(["secret.key", "server.json", "server.lock"].map((name) => modeOf(join(folder, name)))).toEqual([
    0o600, 0o600, 0o600,
  ]);
  expect([outside, program, layer].map(modeOf)).toEqual([0o644, 0o4755, 0o1777]);
});

test("4. whole files", async () => {
  const folder = newFolder();
  const file = join(folder, "deeper", "file");
  await writeDurably(file, "old");
  await Promise.all([writeDurably(file, "new"), writeDurably(file, "new")]);
  expect(readFileSync(file, "utf8")).toBe("new");
  // A folder has the file's name, so the rename fails.
  mkdirSync(join(folder, "taken", "inside"), { recursive: true });
  await expect(writeDurably(join(folder, "taken"), "x")).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(["deeper", "taken"]);
  expect(readdirSync(join(folder, "deeper"))).toEqual(["file"]);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
});
