/**
 * Finds shell text in a sample: fences of a shell, commands in a terminal, `RUN` in a Dockerfile, and the keys of CI
 * files whose values a shell runs.
 */
import { DockerfileParser } from "dockerfile-ast";
import { isScalar, isSeq, LineCounter, parseAllDocuments, Scalar, visit } from "yaml";
import { consoleCommands } from "../blocks/code-block.ts";
import { fillPlaceholders } from "../page/placeholders.ts";
import type { Sample } from "../types.ts";

export interface ShellSource {
  text: string;
  /** Line of its start, in the page's file. */
  line: number;
}

/** @returns nothing for a diff, which has two versions of some lines */
export function shellSources(sample: Sample): ShellSource[] {
  const read = READERS[sample.language.toLowerCase()];
  if (!read || sample.diff) return [];
  const code = fillPlaceholders(sample.code, "http://localhost:3000");
  return read(code).map(({ text, line }) => ({ text, line: sample.line + line - 1 }));
}

type Reader = (code: string) => ShellSource[];

const whole: Reader = (code) => [{ text: code, line: 1 }];
const READERS: Record<string, Reader> = {
  bash: whole,
  sh: whole,
  shell: whole,
  zsh: whole,
  console: (code) => consoleCommands(code).map(({ text, from }) => ({ text, line: from + 1 })),
  yaml: inYaml,
  yml: inYaml,
  dockerfile: inDockerfile,
  docker: inDockerfile,
  groovy: inJenkinsfile,
  makefile: inMakefile,
};

/** GitHub and CircleCI use `run`; GitLab, Travis, Bitbucket, Buildkite and CodeBuild use the lists. */
const SHELL_KEYS = new Set(
  "run script before_script after_script install before_install after_success command commands".split(" "),
);

function inYaml(code: string): ShellSource[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(code, { lineCounter: lines });
  const found: ShellSource[] = [];
  const add = (node: unknown, isCloudBuild = false) => {
    if (!isScalar(node) || typeof node.value !== "string" || !node.range) return;
    const isBlock = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;
    // Cloud Build reads `$$` as a dollar sign.
    const text = isCloudBuild ? node.value.replaceAll("$$", "$") : node.value;
    found.push({ text, line: lines.linePos(node.range[0]).line + (isBlock ? 1 : 0) });
  };
  for (const document of Array.isArray(documents) ? documents : []) {
    visit(document, {
      Pair(_key, pair) {
        if (!isScalar(pair.key) || typeof pair.key.value !== "string") return;
        // Cloud Build's `args` for a shell: `-c` and the script.
        const isShellArguments =
          pair.key.value === "args" && isSeq(pair.value) && hasShellFlag(pair.value.items);
        if (isShellArguments && isSeq(pair.value)) return add(pair.value.items.at(-1), true);
        if (!SHELL_KEYS.has(pair.key.value)) return;
        if (isSeq(pair.value)) pair.value.items.forEach((item) => add(item));
        else add(pair.value);
      },
    });
  }
  return found;
}

function hasShellFlag(items: readonly unknown[]): boolean {
  const flag = items.at(-2);
  return isScalar(flag) && typeof flag.value === "string" && /^-[a-z]*c[a-z]*$/.test(flag.value);
}

function inDockerfile(code: string): ShellSource[] {
  const lines = code.split("\n");
  return DockerfileParser.parse(code)
    .getInstructions()
    .flatMap((instruction): ShellSource[] => {
      const { start, end } = instruction.getRange();
      if (instruction.getKeyword() !== "RUN") return [];
      const text = lines
        .slice(start.line, end.line + 1)
        // Docker removes comments before the shell runs; a backslash keeps the line and continues it.
        .map((line, at) => (at > 0 && /^\s*#/.test(line) ? "\\" : line))
        .join("\n")
        .replace(/^\s*RUN\s+((--\S+|\\\n)\s*)*/i, (head) => "\\\n".repeat(head.split("\n").length - 1));
      return [/^(\\\n)*\[/.test(text) ? null : hereDocument(text, start.line + 1)].flatMap(
        (one) => one ?? [],
      );
    });
}

/** `RUN <<EOF`: its lines are the script. */
function hereDocument(text: string, line: number): ShellSource {
  const body = /^<<-?(["']?)(\w+)\1[^\n]*\n([\s\S]*)\n[ \t]*\2$/.exec(text);
  return body ? { text: body[3] ?? "", line: line + 1 } : { text, line };
}

/** `sh '…'` and `sh '''…'''`; in double quotes, Groovy would insert values first. */
function inJenkinsfile(code: string): ShellSource[] {
  return [...code.matchAll(/\bsh\s*\(?\s*('''|')([\s\S]*?)\1/g)].map(({ 2: text = "", index }) => {
    return { text, line: code.slice(0, index).split("\n").length };
  });
}

/** Lines that start with a tab, without make's `@`, `-` and doubled dollars; a make variable counts as a word. */
function inMakefile(code: string): ShellSource[] {
  return code.split("\n").flatMap((line, at) => {
    const command = /^\t[@+-]*(.*[^\\])$/.exec(line)?.[1];
    if (command === undefined) return [];
    return [{ text: command.replace(/\$\((\w+)\)/g, "…").replaceAll("$$", "$"), line: at + 1 }];
  });
}
