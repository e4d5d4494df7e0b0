/** Parses every sample that has a parser; in others, looks for mistakes that their tool would refuse. */
import { createRequire } from "node:module";
import { DockerfileParser } from "dockerfile-ast";
import { parseAst } from "rolldown/parseAst";
import { SaxesParser } from "saxes";
import { parse as parseToml, TomlError } from "smol-toml";
import { LineCounter, parseAllDocuments } from "yaml";
import { isParsed, type Parsed } from "../executed/states.ts";
import { fillPlaceholders } from "../page/placeholders.ts";
import { nearest } from "../problem.ts";
import type { ContentProblem, Page } from "../types.ts";

interface Finding {
  /** Line in the sample, from 1. */
  line: number;
  message: string;
}

type Check = (code: string) => Finding[];

const PARSERS: Record<Parsed, Check> = {
  yaml: checkYaml,
  yml: checkYaml,
  json: checkJson,
  jsonc: (code) => checkJson(withoutComments(code)),
  toml: checkToml,
  xml: checkXml,
  hcl: checkHcl,
  dockerfile: checkDockerfile,
  docker: checkDockerfile,
  js: (code) => checkScript(code, "js"),
  ts: (code) => checkScript(code, "ts"),
};
/** Look for single mistakes. */
const SEARCHES: { [language: string]: Check } = {
  kotlin: checkGradle,
  groovy: checkGradle,
  text: checkProxy,
};

export function checkSamples(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap((page) =>
    page.samples.flatMap((sample) => {
      const language = sample.language.toLowerCase();
      const check = isParsed(language) ? PARSERS[language] : SEARCHES[language];
      // A diff has two versions of some lines.
      if (!check || sample.diff) return [];
      const code = fillPlaceholders(sample.code, "http://localhost:3000");
      return check(code).map(({ line, message }): ContentProblem => {
        const fix = sample.code.split("\n")[line - 1]?.trim() || "```text";
        const rule = `sample-${language}`;
        return { file: page.file, line: sample.line + line - 1, rule, severity: "error", message, fix };
      });
    }),
  );
}

function checkYaml(code: string): Finding[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(code, { lineCounter });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) =>
    document.errors.slice(0, 1).map((error) => ({
      line: lineCounter.linePos(error.pos[0]).line,
      message: `Not YAML: ${(error.message.split("\n")[0] ?? "").replace(/ at line \d+.*$/, "")}.`,
    })),
  );
}

function checkJson(code: string): Finding[] {
  try {
    JSON.parse(code);
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = /position (\d+)/.exec(error.message)?.[1];
    const line = place === undefined ? 1 : code.slice(0, Number(place)).split("\n").length;
    return [{ line, message: `Not JSON: ${error.message}.` }];
  }
}

/** Keeps strings, because `//` in a string is text. */
function withoutComments(code: string): string {
  return code
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith('"') ? part : ""))
    .replace(/,(\s*[}\]])/g, "$1");
}

function checkToml(code: string): Finding[] {
  try {
    parseToml(code);
    return [];
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split("\n")[0] ?? "";
    return [{ line: error.line, message: `Not TOML: ${message.replace(/^Invalid TOML document: /, "")}.` }];
  }
}

/** Fragments need no root element. */
function checkXml(code: string): Finding[] {
  const findings: Finding[] = [];
  const parser = new SaxesParser({ fragment: !code.startsWith("<?xml"), position: true });
  parser.on("error", (error) => {
    const message = error.message.replace(/^\d+:\d+: /, "").replace(/\.?$/, "");
    if (findings.length === 0) findings.push({ line: parser.line, message: `Not XML: ${message}.` });
  });
  parser.write(code).close();
  return findings;
}

/** The parser gives no position. It is 4 MB of CommonJS without types, loaded for the few samples that need it. */
function checkHcl(code: string): Finding[] {
  const { parseToString }: { parseToString(text: string): unknown } = createRequire(import.meta.url)(
    "hcl2-parser",
  );
  const result = parseToString(code);
  const isRead = Array.isArray(result) && typeof result[0] === "string" && result[0] !== "";
  return isRead ? [] : [{ line: 1, message: "Not HCL." }];
}

/** As a module, whose top level may await. */
function checkScript(code: string, lang: "js" | "ts"): Finding[] {
  try {
    parseAst(code, { lang, sourceType: "module" });
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const at = "pos" in error && typeof error.pos === "number" ? error.pos : 0;
    const message = (error.message.split("\n")[1] ?? "").replace(/\.$/, "");
    const name = lang === "ts" ? "TypeScript" : "JavaScript";
    return [{ line: code.slice(0, at).split("\n").length, message: `Not ${name}: ${message}.` }];
  }
}

/** Gradle 7 and later refuse plain HTTP unless the build allows it, except for 127.0.0.1 (not `localhost`). */
function checkGradle(code: string): Finding[] {
  if (!code.includes("HttpBuildCache") || /allowInsecureProtocol/i.test(code)) return [];
  const lines = code.split("\n");
  const line = lines.findIndex((text) => /["']http:\/\/(?!127\.0\.0\.1[:/"'])/.test(text)) + 1;
  if (line === 0) return [];
  return [{ line, message: "Gradle refuses http:// without allowInsecureProtocol, except for 127.0.0.1." }];
}

/** The server's port speaks HTTP/1.1 and HTTP/2; gRPC needs HTTP/2, which a proxy uses only if configured. */
const PROXIES = [
  { passes: /^\s*proxy_pass\s/m, grpc: /^\s*grpc_pass\s/m, name: "nginx", fix: "grpc_pass" },
  { passes: /^\s*reverse_proxy\s/m, grpc: /\sh2c:\/\//, name: "Caddy", fix: "h2c://" },
];

function checkProxy(code: string): Finding[] {
  return PROXIES.flatMap(({ passes, grpc, name, fix }) => {
    const match = passes.exec(code);
    if (!match || grpc.test(code)) return [];
    const line = code
      .slice(0, match.index + match[0].length - match[0].trimStart().length)
      .split("\n").length;
    return [{ line, message: `Without ${fix}, ${name} forwards gRPC as HTTP/1.1, which breaks it.` }];
  });
}

const INSTRUCTIONS = new Set(
  "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split(
    " ",
  ),
);

function lineOf(item: { getRange(): { start: { line: number } } }): number {
  return item.getRange().start.line + 1;
}

/** Fragments are allowed: only a file with several stages, from its first FROM on, must have the stages that it copies from. */
function checkDockerfile(code: string): Finding[] {
  const dockerfile = DockerfileParser.parse(code);
  const all = dockerfile.getInstructions();
  const findings = all.flatMap((instruction): Finding[] => {
    const keyword = instruction.getKeyword();
    if (INSTRUCTIONS.has(keyword)) return [];
    const near = nearest(keyword, INSTRUCTIONS);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    return [{ line: lineOf(instruction), message: `Not a Dockerfile instruction: "${keyword}".${hint}` }];
  });
  const first = all.find((instruction) => instruction.getKeyword() !== "ARG");
  if (first?.getKeyword() !== "FROM" || dockerfile.getFROMs().length < 2) return findings;
  const stages = new Set(dockerfile.getFROMs().map((from) => from.getBuildStage()?.toLowerCase()));
  for (const copy of dockerfile.getCOPYs()) {
    const from = copy.getFromFlag()?.getValue()?.toLowerCase();
    const isStage = from === undefined || stages.has(from) || /^\d+$|[/:.$]/.test(from);
    if (!isStage)
      findings.push({ line: lineOf(copy), message: `COPY --from=${from}: no stage has this name.` });
  }
  return findings;
}
