/** Base images with this machine's own compilers, for Dockerfiles of the pages that begin with an official image of a language. */
import { execFile } from "node:child_process";
import { cp, mkdir, realpath, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { type BaseImage, writeBaseImage, writeImage } from "../builds/base-image.ts";
import { askProgram, cannotHave } from "../cache/install-tool.ts";

const run = promisify(execFile);
/** The parts of Go that build a program without cgo; packages are added. */
const GO_PARTS = [
  "VERSION",
  "go.env",
  "bin/go",
  "pkg/include",
  ...["go.mod", "go.sum", "vendor/modules.txt"].map((file) => `src/${file}`),
  ...["asm", "compile", "link"].map(
    (tool) => `pkg/tool/linux_${process.arch === "x64" ? "amd64" : "arm64"}/${tool}`,
  ),
];
const PATH = "PATH=/usr/local/go/bin:/usr/local/bin:/bin";

/**
 * @param packages of the standard library; the whole library would take half a minute to unpack
 * @returns null, with a message, where there is no Go
 */
export async function writeGoImage(folder: string, packages: readonly string[]): Promise<BaseImage | null> {
  if ((await askProgram("go", "version")) === null) return cannotHave("Go", "it is not installed");
  const { stdout: found } = await run("go", ["env", "GOROOT"]);
  const from = found.trim();
  const list = async (arch: string) => {
    const env = { ...process.env, CGO_ENABLED: "0", GOARCH: arch };
    const { stdout } = await run("go", ["list", "-deps", "-f", "{{.Dir}}", ...packages], { env, cwd: from });
    return stdout.trim().split("\n");
  };
  const folders = new Set((await Promise.all(["amd64", "arm64"].map(list))).flat());
  return writeWith(folder, async (root) => {
    const goRoot = join(root, "usr/local/go");
    for (const part of [...GO_PARTS, ...[...folders].map((path) => relative(from, path))])
      await cp(join(from, part), join(goRoot, part), { recursive: true });
  });
}

/** @returns null, with a message, where there is no npm */
export async function writeNodeImage(folder: string): Promise<BaseImage | null> {
  const npm = await run("sh", ["-c", 'realpath "$(command -v npm)"']).catch(() => null);
  if (npm === null) return cannotHave("npm", "it is not installed");
  return writeWith(folder, async (root) => {
    const programs = join(root, "usr/local/bin");
    await mkdir(programs, { recursive: true });
    await cp(await realpath(process.execPath), join(programs, "node"));
    const { stdout: libraries } = await run("ldd", [process.execPath]);
    for (const path of new Set(libraries.match(/\/\S+(?= \()/g)))
      await cp(await realpath(path), join(root, path));
    const packages = join(root, "usr/local/lib/node_modules/npm");
    await cp(dirname(dirname(npm.stdout.trim())), packages, { recursive: true, dereference: true });
    await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(programs, "npm"));
    // The first line of npm looks for it there.
    await mkdir(join(root, "usr/bin"));
    await symlink("/bin/env", join(root, "usr/bin/env"));
  });
}

async function writeWith(folder: string, add: (root: string) => Promise<void>): Promise<BaseImage | null> {
  if ((await writeBaseImage(folder)) === null) return null;
  const root = join(folder, "root");
  await add(root);
  return writeImage(folder, root, { Env: [PATH], Cmd: ["sh"] });
}
