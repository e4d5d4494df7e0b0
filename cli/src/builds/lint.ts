/**
 * `--lint`: BuildKit's build checks, and hadolint where it is installed, before anything is built.
 *
 *   WARNING: SecretsUsedInArgOrEnv - https://docs.docker.com/go/dockerfile/rule/…
 *   Do not use ARG or ENV instructions for sensitive data (ARG "NPM_TOKEN")
 *   Dockerfile:4
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { CliError, endWith, errorCode } from "../errors.ts";
import { isFields } from "../registry/docker-config.ts";
import type { Invocation } from "../session.ts";
import { cleanText } from "../text.ts";
import { BUILDER } from "./buildx-builder.ts";
import type { OpenBuild } from "./open-build.ts";
import { ownPlatform } from "./outputs.ts";
import { type Interrupts, runBuildx } from "./run-buildx.ts";
import { plainOf, type Token, valuesOf, wordsOf } from "./split-arguments.ts";

export interface Finding {
  rule: string;
  url: string;
  detail: string;
  file: string;
  line: number;
}

interface LintRun {
  call: Invocation;
  tokens: readonly Token[];
  open: OpenBuild;
  program: string;
  interrupts: Interrupts;
}

/** Flags for outputs and files, which only the following build needs. */
const NOT_FOR_CHECKS = [
  "--call",
  "--check",
  "--push",
  "--load",
  "--output",
  "--metadata-file",
  "--iidfile",
  "--progress",
  "--quiet",
];
const HADOLINT_MS = 60_000;

/** @throws CliError with exit code 1 after printing all findings, if there are any */
export async function lint(run: LintRun): Promise<void> {
  const { call, tokens } = run;
  const path = findDockerfile(plainOf(tokens)[0], valuesOf(tokens, "--file").at(-1));
  refuse(call, [...inFile(await runChecks(run), path), ...(await runHadolint(call, path))]);
}

type Fields = { [name: string]: unknown };

/** The same for a Bake target and the targets that it builds on, whose fields name their Dockerfiles. */
export async function lintDefinition(
  run: Omit<LintRun, "tokens">,
  { file, target, targets }: { file: string; target: string; targets: { [name: string]: Fields } },
): Promise<void> {
  const args = ["bake", "--builder", BUILDER, "--file", file];
  const output = await askChecks(run, [...args, "--call=check,format=json", "--progress=quiet", target]);
  const checks = readBakeChecks(output);
  const findings = Object.entries(targets).map(async ([name, fields]) => {
    const path = dockerfileOf(fields);
    return [...inFile(checks.get(name) ?? [], path), ...(await runHadolint(run.call, path))];
  });
  refuse(run.call, distinct((await Promise.all(findings)).flat()));
}

function dockerfileOf(fields: Fields): string | undefined {
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : undefined);
  if (text("dockerfile-inline") !== undefined) return undefined;
  const [context, dockerfile] = [text("context") ?? ".", text("dockerfile")];
  return findDockerfile(context, dockerfile === undefined ? undefined : resolve(context, dockerfile));
}

/** @returns its path relative to the working directory, as GitHub wants it; undefined if it is not on this machine */
function findDockerfile(context = ".", chosen?: string): string | undefined {
  const path = relative(".", chosen ?? join(context, "Dockerfile"));
  return existsSync(path) ? path : undefined;
}

/** BuildKit knows the file's name, but not its folder. */
const inFile = (findings: readonly Finding[], path: string | undefined): Finding[] =>
  findings.map((finding) => ({ ...finding, file: path ?? finding.file }));

function refuse({ terminal, env }: Invocation, findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  terminal.err(findings.map(formatFinding).join("\n"));
  // GitHub reads these from the log of a step.
  if (env["GITHUB_ACTIONS"] === "true") terminal.out(findings.map(formatAnnotation).join(""));
  throw new CliError(
    `the checks found ${findings.length === 1 ? "one problem" : `${findings.length} problems`}: nothing was built`,
  );
}

async function runChecks({ tokens, ...run }: LintRun): Promise<Finding[]> {
  const kept = tokens.filter(({ flag }) => !NOT_FOR_CHECKS.includes(flag));
  const hasInput = plainOf(tokens).includes("-") || valuesOf(tokens, "--file").includes("-");
  if (hasInput)
    throw new CliError("--lint cannot read standard input twice: name the Dockerfile and the context");
  const platform = valuesOf(tokens, "--platform").length > 0 ? [] : ["--platform", ownPlatform()];
  const args = [
    "build",
    "--builder",
    BUILDER,
    "--call=check,format=json",
    "--progress=quiet",
    ...platform,
    ...wordsOf(kept),
  ];
  return readChecks(await askChecks(run, args)) ?? [];
}

async function askChecks(
  { open, program, interrupts }: Omit<LintRun, "tokens">,
  args: readonly string[],
): Promise<string> {
  const lines: string[] = [];
  const { code, output } = await runBuildx({
    program,
    args,
    env: open.env,
    interrupts,
    output: "read",
    input: "none",
    onLine: (line) => lines.push(line),
  });
  if (parseObjects(output).length > 0) return output;
  if (interrupts.signal.aborted) throw endWith(interrupts.exitCode);
  throw new CliError(`the checks exited with code ${code}: ${lines.at(-1) ?? "buildx did not say why"}`);
}

/** @returns undefined if the output is not from BuildKit's checks */
export function readChecks(output: string): Finding[] | undefined {
  // Each platform has its own object.
  const values = parseObjects(output);
  return values.length === 0 ? undefined : distinct(values.flatMap(findingsOf));
}

/** `{"target": {"web": {"build": {…}, "check": {"warnings": […]}}}}` */
export function readBakeChecks(output: string): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const { target } of parseObjects(output))
    for (const [name, each] of Object.entries(isFields(target) ? target : {}))
      if (isFields(each) && isFields(each["check"])) found.set(name, findingsOf(each["check"]));
  return found;
}

function findingsOf({ warnings, buildError, error }: Fields): Finding[] {
  const found = Array.isArray(warnings) ? warnings.filter(isFields).map(findingOf) : [];
  const ruleName = "BuildError";
  if (isFields(buildError))
    return [...found, findingOf({ ruleName, detail: buildError["message"], ...buildError })];
  return typeof error === "string" ? [...found, findingOf({ ruleName, detail: error })] : found;
}

const distinct = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((each) => [JSON.stringify(each), each])).values(),
];

function parseObjects(output: string): { [name: string]: unknown }[] {
  const texts = output.trim().split(/\n(?=\{)/);
  return texts.flatMap((text) => {
    try {
      const value: unknown = JSON.parse(text);
      return isFields(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function findingOf({ ruleName, url, detail, location }: { [name: string]: unknown }): Finding {
  const { file, ranges } = isFields(location) ? location : {};
  const first: unknown = Array.isArray(ranges) ? ranges[0] : undefined;
  const start = isFields(first) && isFields(first["start"]) ? first["start"]["line"] : undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    rule: text(ruleName),
    url: text(url),
    detail: text(detail),
    file: text(file) || "Dockerfile",
    line: typeof start === "number" ? start : 1,
  };
}

/** @returns no findings if hadolint is not installed */
async function runHadolint(call: Invocation, path: string | undefined): Promise<Finding[]> {
  if (path === undefined) return [];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      "hadolint",
      ["--format", "json", "--", path],
      { env: call.env, timeout: HADOLINT_MS },
      (error, stdout) => {
        if (errorCode(error) === "ENOENT") resolve("[]");
        // It exits with 1 if it has findings.
        else if (stdout.trim().startsWith("[")) resolve(stdout);
        else reject(new CliError(`hadolint failed: ${cleanText(error?.message ?? "").slice(0, 300)}`));
      },
    );
  });
  const found: unknown = JSON.parse(output);
  if (!Array.isArray(found)) return [];
  return found.filter(isFields).map(({ code, message, file, line }) => ({
    rule: String(code),
    url: `https://github.com/hadolint/hadolint/wiki/${String(code)}`,
    detail: String(message),
    file: String(file),
    line: typeof line === "number" ? line : 1,
  }));
}

const formatFinding = ({ rule, url, detail, file, line }: Finding): string =>
  `WARNING: ${cleanText(rule)}${url === "" ? "" : ` - ${cleanText(url)}`}\n${cleanText(detail)}\n${cleanText(file)}:${line}\n`;

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export function formatAnnotation({ rule, detail, file, line }: Finding): string {
  const data = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::warning file=${property(file)},line=${line},title=${property(rule)}::${data(detail)}\n`;
}
