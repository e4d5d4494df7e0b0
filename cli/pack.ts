/**
 * Packs the files that a server hands out: the CLI as an archive that npm installs without fetching anything else, and the scripts
 * that install it where npm's global folder is not wanted. The same sources give the same bytes.
 *
 *   install.sh, install.ps1
 *   cli/millrace.tgz                       the CLI of this server
 *   cli/millrace-0.1.0-1a2b3c4d.tgz        the same, under a name that no other archive ever gets
 *   cli/millrace.tgz.sha256, …             as sha256sum writes and reads it
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { buildPackage } from "./build.ts";
import { BLOCK, paddingOf, tarHeader } from "./src/registry/tar-format.ts";

const here = import.meta.dirname;
/** The placeholder in the code until its hash is known. */
const BUILD_PLACE = "build-00000000";
const SCRIPTS = ["install.sh", "install.ps1"];

export interface PackedCli {
  /** The package's version and build: `0.1.0-1a2b3c4d`. */
  version: string;
  bytes: number;
}

/**
 * @param into a folder whose files are served below `/`
 * @param origin of the server, in the scripts: an address, or its placeholder until it is known
 */
export async function packCli(into: string, origin: string): Promise<PackedCli> {
  const draft = mkdtempSync(join(tmpdir(), "millrace-pack-"));
  try {
    const { version, node } = await writePackage(draft);
    const name = `millrace-${version}.tgz`;
    const archive = gzipSync(tarOf(draft), { level: 9 });
    const sha256 = sha256Of(archive);
    mkdirSync(join(into, "cli"), { recursive: true });
    for (const each of ["millrace.tgz", name]) {
      writeFileSync(join(into, "cli", each), archive);
      writeFileSync(join(into, "cli", `${each}.sha256`), `${sha256}  ${each}\n`);
    }
    const values: { [place: string]: string } = { origin, version, sha256, node };
    for (const script of SCRIPTS) {
      const text = readFileSync(join(here, "install", script), "utf8");
      writeFileSync(
        join(into, script),
        text.replaceAll(/\{\{(\w+)\}\}/g, (place, key: string) => values[key] ?? place),
      );
    }
    return { version, bytes: archive.length };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @returns the version of the package, and the oldest Node.js that runs it: `20.19` */
async function writePackage(folder: string): Promise<{ version: string; node: string }> {
  await buildPackage(join(folder, "dist"), BUILD_PLACE);
  for (const file of ["README.md", "LICENSE"]) copyFileSync(join(here, file), join(folder, file));
  const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const hash = createHash("sha256");
  for (const file of filesOf(folder)) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  const build = hash.digest("hex").slice(0, 8);
  for (const file of globSync("dist/**/*.js", { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(BUILD_PLACE, build));
  }
  return { version: `${manifest.version}-${build}`, node: manifest.engines.node.replace(">=", "") };
}

/** Sorted, with the same names on every system. */
const filesOf = (folder: string): string[] =>
  globSync("**", { cwd: folder })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.split(sep).join("/"))
    .toSorted();

/** As npm expects it: everything in a folder `package`, with the same owner, time and mode everywhere. */
function tarOf(folder: string): Buffer {
  const parts = filesOf(folder).flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    const mode = file === "dist/main.js" ? 0o755 : 0o644;
    return [tarHeader(`package/${file}`, bytes.length, mode), bytes, Buffer.alloc(paddingOf(bytes.length))];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
