/** `deploy/Dockerfile` as a list of stages, and the content of its stage `slim`, as folders on this machine. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DockerfileParser, type Instruction } from "dockerfile-ast";
import { root } from "#server/pages/build-folders.ts";

export interface Stage {
  image: string;
  name: string | null;
  /** The instructions after `FROM`. */
  instructions: { keyword: string; args: string[]; flags: { [name: string]: string } }[];
}

export function readStages(): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(join(root, "deploy/Dockerfile"), "utf8"))
    .getInstructions()
    .filter((found) => found.getKeyword() !== "ARG")) {
    const args = instruction.getArguments().map((argument) => argument.getValue());
    if (instruction.getKeyword() === "FROM") {
      const at = args.findIndex((word) => /^as$/i.test(word));
      stages.push({ image: args[0] ?? "", name: at < 0 ? null : (args[at + 1] ?? null), instructions: [] });
    } else
      stages.at(-1)?.instructions.push({
        keyword: instruction.getKeyword(),
        args: instruction.getKeyword() === "CMD" ? jsonArgs(instruction) : args,
        flags: flagsOf(instruction),
      });
  }
  return stages;
}

/** The arguments of `CMD ["node", "main.ts"]`, also of the one in a HEALTHCHECK. */
function jsonArgs(instruction: Instruction): string[] {
  const text = instruction.getRawArgumentsContent() ?? "";
  return JSON.parse(text.slice(text.indexOf("["))) as string[];
}

export function healthCommand(): string[] {
  const all = DockerfileParser.parse(readFileSync(join(root, "deploy/Dockerfile"), "utf8")).getInstructions();
  const check = all.find((instruction) => instruction.getKeyword() === "HEALTHCHECK");
  if (!check) throw new Error("The image has no HEALTHCHECK.");
  return jsonArgs(check);
}

function flagsOf(instruction: Instruction): { [name: string]: string } {
  const flags = "getFlags" in instruction ? (instruction.getFlags as () => Flag[])() : [];
  return Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ""]));
}

interface Flag {
  getName: () => string;
  getValue: () => string | null;
}

/** The stage of the server alone; the image with builders adds to it. */
export function readSlim(): Stage {
  const slim = readStages().find(({ name }) => name === "slim");
  if (!slim) throw new Error("The Dockerfile has no stage `slim`.");
  return slim;
}

/** Copies into `folder` exactly what the stage `slim` copies into its working folder. */
export function copyImage(folder: string, build: string): void {
  const copies = readSlim().instructions.filter(({ keyword }) => keyword === "COPY");
  for (const { args, flags } of copies) {
    const sources = args.slice(0, -1).map((path) => path.replace(/^\/opt\/millrace\//, ""));
    const target = args.at(-1) ?? "";
    for (const source of sources) {
      const to = join(folder, target.endsWith("/") ? join(target, source) : target);
      mkdirSync(dirname(to), { recursive: true });
      if (flags["from"] === "packages") copyPackages(dirname(to));
      else if (source === "build") cpSync(build, to, { recursive: true });
      else cpSync(join(root, source), to, { recursive: true, filter: isSent });
    }
  }
}

const ignored = readFileSync(join(root, "deploy/Dockerfile.dockerignore"), "utf8").split("\n");

/** Applies the lines of `Dockerfile.dockerignore` about endings of names. */
function isSent(path: string): boolean {
  return !ignored.some((line) => line.startsWith("**/*") && path.endsWith(line.slice("**/*".length)));
}

/** Copies the packages of `npm ci --omit=dev` from the repository's own `node_modules`. */
function copyPackages(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: { [path: string]: { dev?: true } };
  };
  for (const [path, { dev }] of Object.entries(packages))
    // Packages for other machines are missing.
    if (path !== "" && !dev && existsSync(join(root, path)))
      cpSync(join(root, path), join(folder, path), { recursive: true, filter: isOwn(join(root, path)) });
}

/** Packages below a package have entries of their own. */
const isOwn = (folder: string) => (path: string) => path !== join(folder, "node_modules");
