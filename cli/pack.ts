/**
 * Packs what npm publishes: `millrace`, and for each platform a package with Docker's buildx, which `millrace` names as an
 * optional dependency. npm installs the one of its platform. Needs Go, which builds buildx from its released source.
 *
 *   npm run pack -- --into <folder>                             for all platforms
 *   npm run pack -- --into <folder> --platform linux-x64
 */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildPackage } from "./build.ts";

/** Tested with; its source is what the Go module of this version has. */
export const BUILDX_VERSION = "0.29.1";
const MODULE = "github.com/docker/buildx";
const here = import.meta.dirname;

/** As Node.js calls them, and as Go does. */
const PLATFORMS = {
  "linux-x64": { GOOS: "linux", GOARCH: "amd64" },
  "linux-arm64": { GOOS: "linux", GOARCH: "arm64" },
  "darwin-x64": { GOOS: "darwin", GOARCH: "amd64" },
  "darwin-arm64": { GOOS: "darwin", GOARCH: "arm64" },
  "win32-x64": { GOOS: "windows", GOARCH: "amd64" },
  "win32-arm64": { GOOS: "windows", GOARCH: "arm64" },
} as const;
export type Platform = keyof typeof PLATFORMS;

const isPlatform = (text: string): text is Platform => text in PLATFORMS;

export interface BuildxProgram {
  platform: Platform;
  program: string;
  /** A file with the licenses of all that is in it. */
  licenses: string;
}

/** @returns the archive */
export function packBuildx({ platform, program, licenses }: BuildxProgram, into: string): string {
  const [os = "", cpu = ""] = platform.split("-");
  const name = nameOf(platform);
  return inDraft((folder) => {
    const file = join(folder, "bin", os === "win32" ? "buildx.exe" : "buildx");
    mkdirSync(join(folder, "bin"));
    copyFileSync(program, file);
    chmodSync(file, 0o755);
    copyFileSync(licenses, join(folder, "LICENSE"));
    writeFileSync(
      join(folder, "README.md"),
      `# ${name}\n\nDocker's buildx ${BUILDX_VERSION} for \`${platform}\`, unchanged (https://${MODULE}). The command-line tool \`millrace\` runs it\nwhere there is no other buildx.\n`,
    );
    writeJson(join(folder, "package.json"), {
      name,
      version: BUILDX_VERSION,
      description: `Docker's buildx for ${platform}, for the command-line tool of Millrace.`,
      license: "Apache-2.0",
      os: [os],
      cpu: [cpu],
      files: ["bin"],
      // A program cannot be run from within an archive.
      preferUnplugged: true,
    });
    return pack(folder, into);
  });
}

/** @param platforms whose packages are published with it @returns the archive */
export async function packMillrace(platforms: readonly Platform[], into: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-pack-"));
  try {
    await buildPackage(join(folder, "dist"));
    for (const file of ["README.md", "LICENSE"]) copyFileSync(join(here, file), join(folder, file));
    const { scripts: _, ...manifest } = readJson(join(here, "package.json"));
    const buildx = Object.fromEntries(platforms.map((platform) => [nameOf(platform), BUILDX_VERSION]));
    writeJson(join(folder, "package.json"), { ...manifest, optionalDependencies: buildx });
    return pack(folder, into);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = (platform: Platform): string => `@millrace/buildx-${platform}`;

/** A program of Go alone, without libraries of the machine, and without its paths. */
export function buildBuildx(platform: Platform, into: string): BuildxProgram {
  const source = downloadModules([`${MODULE}@v${BUILDX_VERSION}`])[0];
  if (source === undefined) throw new Error(`Go could not download ${MODULE} ${BUILDX_VERSION}`);
  const program = join(into, `buildx-${platform}`);
  const version = `-s -w -X ${MODULE}/version.Version=v${BUILDX_VERSION}`;
  const args = ["build", "-mod=mod", "-trimpath", "-ldflags", version, "-o", program, "./cmd/buildx"];
  const env = { ...process.env, ...PLATFORMS[platform], CGO_ENABLED: "0" };
  execFileSync("go", args, { cwd: source, env, stdio: ["ignore", "ignore", "inherit"] });
  const licenses = join(into, `licenses-${platform}.txt`);
  writeFileSync(licenses, licensesOf(program, source));
  return { platform, program, licenses };
}

/** Of buildx, and of every module that Go has linked. */
function licensesOf(program: string, source: string): string {
  const listed = execFileSync("go", ["version", "-m", program], { encoding: "utf8" });
  const modules = [...listed.matchAll(/^\t(dep|=>)\t(\S+)\t(v\S+)/gm)];
  // The line after a module names what stands in its place.
  const linked = modules.filter((_, at) => modules[at + 1]?.[1] !== "=>");
  const folders = downloadModules(linked.map(([, , path, version]) => `${path}@${version}`));
  const texts = [source, ...folders].flatMap((folder) =>
    globSync("{LICENSE,LICENCE,COPYING,NOTICE}*", { cwd: folder }).map((file) => {
      const name = folder.slice(folder.indexOf("/mod/") + "/mod/".length);
      return `${name}: ${file}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    }),
  );
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** @returns the folder of each */
function downloadModules(modules: readonly string[]): string[] {
  const answer = execFileSync("go", ["mod", "download", "-json", ...modules], {
    cwd: tmpdir(),
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  return [...answer.matchAll(/^\t"Dir": (".*"),?$/gm)].map(([, text]) => String(JSON.parse(text!)));
}

function inDraft(write: (folder: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-pack-"));
  try {
    return write(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pack(folder: string, into: string): string {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", resolve(into)];
  const answer: unknown = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
  const [packed] = Array.isArray(answer) ? answer : [];
  // npm writes the slash of a scope as a dash.
  return join(resolve(into), String(packed.filename).replace(/^@/, "").replaceAll("/", "-"));
}

const readJson = (file: string): { [name: string]: unknown } => JSON.parse(readFileSync(file, "utf8"));
const writeJson = (file: string, value: object): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

async function packAll(): Promise<void> {
  const { values } = parseArgs({
    options: { into: { type: "string" }, platform: { type: "string", multiple: true } },
  });
  const chosen = values.platform ?? Object.keys(PLATFORMS);
  const platforms = chosen.filter(isPlatform);
  if (values.into === undefined || platforms.length < chosen.length)
    throw new Error(`pack --into <folder> [--platform <one of ${Object.keys(PLATFORMS).join(", ")}>]`);
  mkdirSync(values.into, { recursive: true });
  for (const platform of platforms)
    console.log(inDraft((folder) => packBuildx(buildBuildx(platform, folder), values.into!)));
  console.log(await packMillrace(platforms, values.into));
}

if (import.meta.main) await packAll();
