import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { isMap, isPair, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import { fillPlaceholders } from "../page/placeholders.ts";
import { didYouMean } from "../problem.ts";
import type { ContentProblem, Page, Sample } from "../types.ts";

/** Every Compose file and excerpt must match the JSON schema of the Compose specification. */
export function checkCompose(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap((page) =>
    page.samples.filter(isCompose).flatMap((sample) =>
      validate(fillPlaceholders(sample.code, "http://localhost:3000")).map(
        ({ line, message }): ContentProblem => {
          const fix = sample.code.split("\n")[line - 1]?.trim() ?? "";
          return {
            file: page.file,
            line: sample.line + line - 1,
            rule: "compose",
            severity: "error",
            message,
            fix,
          };
        },
      ),
    ),
  );
}

/** Recognized by its file name, or by the top-level map of services that only a Compose file has. */
function isCompose({ language, title, diff, code }: Sample): boolean {
  if (!/^ya?ml$/.test(language) || diff) return false;
  return /^(docker-)?compose[\w.-]*\.ya?ml/.test(title ?? "") || /^services:\n(?= +\w+:)/m.test(code);
}

function validate(code: string): { line: number; message: string }[] {
  const lines = new LineCounter();
  const document = parseDocument(code, { lineCounter: lines });
  // The check of samples finds invalid YAML.
  if (document.errors.length > 0 || composeSchema()(document.toJS())) return [];
  const errors = composeSchema().errors ?? [];
  // If a value can have several forms, the writer meant the form that matched deepest.
  const deepest = Math.max(...errors.map(depthOf));
  const meant = errors.find((error) => depthOf(error) === deepest);
  return meant ? [describe(meant, document, lines)] : [];
}

function depthOf({ instancePath, keyword }: ErrorObject): number {
  return instancePath.split("/").length + (keyword === "additionalProperties" ? 1 : 0);
}

function describe(error: ErrorObject, document: Document, lines: LineCounter) {
  const path = error.instancePath.split("/").slice(1);
  const line = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  const where = path.length === 0 ? "A Compose file" : `\`${path.join(".")}\` of a Compose file`;
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (error.keyword !== "additionalProperties") {
    const range = node && typeof node === "object" && "range" in node ? node.range : undefined;
    const start: unknown = Array.isArray(range) ? range[0] : undefined;
    return {
      line: line(typeof start === "number" ? start : 0),
      message: `${where} ${error.message ?? "is wrong"}.`,
    };
  }
  const name = String(error.params["additionalProperty"]);
  const pair = isMap(node)
    ? node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name)
    : undefined;
  const hint = didYouMean(name, Object.keys(error.parentSchema?.["properties"] ?? {}));
  const start = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  return { line: line(start), message: `${where} has no "${name}".${hint}` };
}

let compiled: ValidateFunction | undefined;

/** The specification's own schema, included in the linter dclint, which does not export the file. */
function composeSchema(): ValidateFunction {
  if (compiled) return compiled;
  const linter = dirname(createRequire(import.meta.url).resolve("dclint/package.json"));
  const schema: unknown = JSON.parse(readFileSync(join(linter, "schemas/compose.schema.json"), "utf8"));
  // The schema names a meta schema that Ajv does not know, and uses Go's formats.
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
    verbose: true,
  });
  // Untyped JSON: Ajv accepts any object and reports its errors.
  compiled = ajv.compile(schema as object);
  return compiled;
}
