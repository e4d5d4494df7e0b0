/**
 * Finds the project that each target of a Bake file names. buildx ignores `project` in HCL and JSON and `x-millrace` in Compose,
 * and does not print them. So it resolves a copy of the files in which the project is the value of `network`, which it prints:
 * that way variables, functions, matrices and `inherits` work as everywhere else.
 *
 *   project = "prj_web"   →   network = "prj_web"      (never built)
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../errors.ts";
import { isFields } from "../registry/docker-config.ts";

/** In buildx' order; the files that exist are merged. */
const DEFAULT_FILES = [
  "compose.yaml",
  "compose.yml",
  "docker-compose.yml",
  "docker-compose.yaml",
  "docker-bake.json",
  "docker-bake.hcl",
  "docker-bake.override.json",
  "docker-bake.override.hcl",
];
const COMPOSE_FILES = DEFAULT_FILES.slice(0, 4);
const STAND_IN = "network";
const MAX_BYTES = 4 * 1024 * 1024;

export type Projects = { [target: string]: string };

interface BakeFile {
  path: string;
  text: string;
}

/**
 * @param given files of `--file`, without remote ones
 * @param resolve asks buildx for the targets of these files
 */
export async function findTargetProjects(
  given: readonly string[],
  { folder, copies }: { folder: string; copies: string },
  resolve: (files: readonly string[]) => Promise<{ [target: string]: unknown }>,
): Promise<Projects> {
  const files = await readFiles(given, folder);
  const copied = files.map(standIn);
  const composed = files.filter(({ path }) => isCompose(path)).map(readCompose);
  const found: Projects = Object.assign({}, ...composed);
  if (copied.every((text, at) => text === files[at]!.text)) return found;
  const paths = copied.map((_, at) => join(copies, `${at}-${files[at]!.path.replaceAll(/[^\w.-]/g, "_")}`));
  await Promise.all(paths.map((path, at) => writeFile(path, copied[at]!, { mode: 0o600 })));
  for (const [target, definition] of Object.entries(await resolve(paths))) {
    const project = isFields(definition) ? definition[STAND_IN] : undefined;
    if (typeof project === "string" && project !== "") found[target] = project;
  }
  return found;
}

async function readFiles(given: readonly string[], folder: string): Promise<BakeFile[]> {
  const read = (path: string): Promise<BakeFile | undefined> =>
    readFile(join(path.startsWith("/") ? "" : folder, path), "utf8").then(
      (text) => ({ path, text }),
      () => undefined,
    );
  // buildx reports missing files.
  const found = (await Promise.all((given.length > 0 ? given : DEFAULT_FILES).map(read))).filter(
    (file) => file !== undefined,
  );
  const large = found.find(({ text }) => text.length > MAX_BYTES);
  if (large) throw new CliError(`${large.path} is larger than ${MAX_BYTES} bytes`);
  return found;
}

const isCompose = (path: string): boolean =>
  /\.ya?ml$/i.test(path) || COMPOSE_FILES.some((name) => path.endsWith(name));

function standIn({ path, text }: BakeFile): string {
  if (isCompose(path)) return text;
  return /\.json$/i.test(path) ? standInJson(text) : standInHcl(text);
}

function standInJson(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (!isFields(value) || !isFields(value["target"])) return text;
  let isChanged = false;
  for (const target of Object.values(value["target"]))
    if (isFields(target)) {
      isChanged ||= target["project"] !== undefined;
      const { project, [STAND_IN]: _, ...others } = target;
      for (const name of Object.keys(target)) delete target[name];
      Object.assign(target, others, project === undefined ? {} : { [STAND_IN]: project });
    }
  return isChanged ? JSON.stringify(value) : text;
}

/** Strings with their escapes and templates, comments, heredocs, names, brackets. Everything else is irrelevant here. */
const HCL_TOKEN =
  /"(?:\\.|[^"\\\n])*"|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|<<-?(\w+)\n[\s\S]*?\n[ \t]*\1(?=\n|$)|[A-Za-z_][\w-]*|[{}[\]()=\n]/g;

/** Replaces attributes directly in a block `target`: not in an object inside it, and not in a string. */
export function standInHcl(text: string): string {
  let depth = 0;
  let targetDepth = 0;
  let isTargetNext = false;
  let isLineStart = true;
  let hasProject = false;
  const changed = text.replace(HCL_TOKEN, (token: string, _: string | undefined, at: number) => {
    const isFirst = isLineStart;
    if (!/^[#/]/.test(token)) isLineStart = token === "\n" || (token === "{" && isTargetNext);
    if (/^[{[(]$/.test(token)) {
      depth++;
      if (token === "{" && isTargetNext) targetDepth = depth;
      isTargetNext = false;
    } else if (/^[}\])]$/.test(token)) {
      if (depth === targetDepth) targetDepth = 0;
      depth--;
    } else if (depth === 0 && isFirst) isTargetNext = token === "target";
    else if (
      depth > 0 &&
      depth === targetDepth &&
      isFirst &&
      /^\s*=(?!=)/.test(text.slice(at + token.length))
    ) {
      if (token === "project") {
        hasProject = true;
        return STAND_IN;
      }
      // A `network` of the file would be mistaken for a project.
      if (token === STAND_IN) return "description";
    }
    return token;
  });
  return hasProject ? changed : text;
}

interface YamlLine {
  depth: number;
  key: string;
  value: string;
}

/**
 * `x-millrace` of a service, or of its `build`, each key on a line of its own. A YAML parser would be a tenth of this
 * package for one key, so other spellings are refused, never ignored.
 */
export function readCompose({ path, text }: BakeFile): Projects {
  const lines = text.split("\n").flatMap(readYamlLine);
  const found: Projects = {};
  const above: YamlLine[] = [];
  for (const line of lines) {
    while ((above.at(-1)?.depth ?? -1) >= line.depth) above.pop();
    above.push(line);
    const [first, service, ...rest] = above.map(({ key }) => key);
    const place = rest.join(" ");
    if (first !== "services" || !service || !/^(?:build )?x-millrace project$/.test(place)) continue;
    // buildx names a service's target after the service, with `_` for a dot.
    found[service.replaceAll(".", "_")] = line.value;
  }
  const named = text.split("\n").filter((line) => /^[^#]*x-millrace["']?\s*:/.test(line)).length;
  if (named === Object.keys(found).length) return found;
  throw new CliError(
    `${path} has an x-millrace without a project: write "x-millrace:" under the service, and "project: prj_…" on the line below it`,
  );
}

/** `  key: value # comment`; nothing for other lines, which are inside values. */
function readYamlLine(line: string): YamlLine[] {
  const [, indent = "", , key = "", rest = ""] =
    /^( *)(["']?)([\w.-]+)\2 *:(?: +(.*))?$/.exec(line.trimEnd()) ?? [];
  if (key === "") return [];
  const [, quoted, plain] = /^(?:(?:["']([^"']*)["'])|([^\s#"'{[&*|>][^\s#]*))?/.exec(rest) ?? [];
  return [{ depth: indent.length, key, value: quoted ?? plain ?? "" }];
}
