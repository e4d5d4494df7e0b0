/**
 * Packages that cannot be installed, with a real npm and a registry on this machine: each time one sentence says what, where and
 * what to do, and no half-finished installation is left.
 * 1. The archive ends too early. 2. The disk is full, even if npm does not notice. 3. The project is not writable.
 * 4. npm's folder in the home folder is not writable: the sentence names it. 5. There is no npm.
 * 6. The registry's certificate is not valid yet, as with a wrong clock. 7. The next try, without the problem, works.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBuildAuthority } from "#builds/index.ts";
import { openDatabase } from "#platform/database/database.ts";
import { root } from "#server/pages/build-folders.ts";
import { recordMigrations } from "#server/database/record-migrations.ts";
import type { RecordTables } from "#server/database/record-tables.ts";

const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;
const ARCHIVE_BYTES = 3_000_000;

let archive: Buffer;
let server: Server;
let isCut = false;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package/package.json"), JSON.stringify({ name: "heavy", version: "1.0.0" }));
  writeFileSync(join(folder, "package/content"), randomBytes(ARCHIVE_BYTES));
  spawnSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
  archive = readFileSync(join(folder, "package.tgz"));
  rmSync(folder, { recursive: true });
  server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": archive.length });
    if (!isCut) return response.end(archive);
    return response.write(archive.subarray(0, archive.length / 2), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

/** A folder with a lock file and the launcher's own files. */
function makeProject(registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`): string {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const dependencies = { heavy: "1.0.0" };
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const packages = {
    "": { dependencies },
    "node_modules/heavy": { version: "1.0.0", resolved: `${registry}/heavy.tgz`, integrity },
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "p", private: true, dependencies }));
  writeFileSync(
    join(project, "package-lock.json"),
    JSON.stringify({ name: "p", lockfileVersion: 3, packages }),
  );
  cpSync(join(root, "scripts/packages.mjs"), join(folder, "packages.mjs"));
  writeFileSync(
    join(folder, "try.mjs"),
    `import { installPackages, UserError } from "./packages.mjs";
     try { installPackages(process.argv[2], "packages"); console.log("installed"); }
     catch (error) { console.log(error instanceof UserError ? error.message : error.stack); }`,
  );
  return folder;
}

interface Around {
  /** Shell commands to run first, in a separate mount namespace. */
  mounts?: string;
  /** Shell commands to run afterwards. */
  after?: string;
  env?: NodeJS.ProcessEnv;
}

/** @returns the last line, without npm's messages about itself */
async function install(folder: string, { mounts, after = "true", env = {} }: Around = {}): Promise<string> {
  const script = `${mounts ?? "true"} && "$0" try.mjs "$PWD/project"; ${after}`;
  const shell = ["/bin/sh", "-c", script, process.execPath];
  const [command = "", ...args] = mounts === undefined ? shell : ["/usr/bin/unshare", "--mount", ...shell];
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, npm_config_cache: join(folder, "cache"), ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  await new Promise((resolve) => child.on("close", resolve));
  return output.trim().split("\n").at(-1) ?? "";
}

test("1. an archive that ends too early; 7. the next try", { timeout: 60_000 }, async () => {
  const folder = makeProject();
  isCut = true;
  const said = await install(folder);
  isCut = false;
  expect(said).toMatch(
    /^A package was downloaded only in part, and none of its code was run: check the network/,
  );
  expect(existsSync(join(folder, "project/node_modules"))).toBe(false);
  expect(await install(folder)).toMatch(/installed/);
  expect(existsSync(join(folder, "project/node_modules/heavy/content"))).toBe(true);
});

test.skipIf(!canMount)("2. a full disk", { timeout: 60_000 }, async () => {
  const folder = makeProject();
  const mounts = "cp -r project files && mount -t tmpfs -o size=2m none project && cp files/* project";
  expect(await install(folder, { mounts, after: "ls project > left" })).toMatch(
    /^Packages could not be installed because the disk of .*project.* is full: free some space/,
  );
  expect(readFileSync(join(folder, "left"), "utf8")).toBe("package-lock.json\npackage.json\n");
});

const readOnly = (path: string) => `mount --bind ${path} ${path} && mount -o remount,ro,bind ${path}`;

test.skipIf(!canMount)("3. a project that cannot be written", { timeout: 60_000 }, async () => {
  const folder = makeProject();
  expect(await install(folder, { mounts: readOnly("project") })).toMatch(
    /^Packages could not be installed because .*project.* cannot be written: make it writable, and run the command again\.$/,
  );
});

test.skipIf(!canMount)("4. a home folder that cannot be written", { timeout: 60_000 }, async () => {
  const folder = makeProject();
  mkdirSync(join(folder, "home"));
  const env = { HOME: join(folder, "home"), npm_config_cache: join(folder, "home/.npm") };
  expect(await install(folder, { mounts: readOnly("home"), env })).toMatch(
    /^Packages could not be installed because .*home.* cannot be written: make it writable, or set npm_config_cache/,
  );
  expect(existsSync(join(folder, "project/node_modules"))).toBe(false);
});

test("5. no npm", async () => {
  expect(await install(makeProject(), { env: { PATH: "/usr/none" } })).toBe(
    "Packages could not be installed because there is no npm on the PATH: install npm, and run the command again.",
  );
});

test("6. a clock that is wrong", { timeout: 60_000 }, async () => {
  // Simulates a clock that is months ahead: its certificate ended in January 2026.
  const database = await openDatabase<RecordTables>({ at: { file: null }, migrations: recordMigrations });
  const authority = await openBuildAuthority({ database, secretKey: randomBytes(32), clock: Date.now });
  await database.close();
  const { certificate, key } = await authority.signServer(["localhost"], new Date(0));
  const registry = createTlsServer({ cert: certificate, key }, (_request, response) => response.end(archive));
  await new Promise<void>((resolve) => registry.listen(0, "localhost", resolve));
  const { port } = registry.address() as AddressInfo;
  const folder = makeProject(`https://localhost:${port}`);
  writeFileSync(join(folder, "ca.pem"), authority.certificate);
  expect(await install(folder, { env: { npm_config_cafile: join(folder, "ca.pem") } })).toMatch(
    /because the registry's certificate is not valid at \d{4}-.*, which is the time of this machine: set its clock/,
  );
  registry.close();
});
