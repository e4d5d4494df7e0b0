import { isAlias, LineCounter, parseDocument } from "yaml";
import type * as z from "zod";
import { ProblemList } from "./problem.ts";
import type { ContentProblem } from "./types.ts";

interface Read<Data> {
  /** Absent if there is a problem. */
  data?: Data;
  problems: ContentProblem[];
}

/**
 * Reads a YAML file that matches the schema, or its mistakes, each with its line number and the current line.
 * @param options the rule of the mistakes, and the number of lines before the YAML in the file
 */
export function readYaml<Shape extends z.ZodType>(
  file: string,
  source: string,
  schema: Shape,
  { rule, before = 0 }: { rule: string; before?: number },
): Read<z.infer<Shape>> {
  const found = new ProblemList(file);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const report = (offset: number, message: string) => {
    const { line } = lines.linePos(offset);
    found.error(line + before, rule, message, source.split("\n")[line - 1]?.trim() ?? "");
  };
  // Later parser errors are mostly consequences of the first.
  const [first] = document.errors;
  if (first) {
    const message = (first.message.split("\n")[0] ?? "").replace(/ at line \d+.*$/, "");
    report(first.pos[0], `Not YAML: ${message}.`);
    return { problems: found.problems };
  }
  const result = schema.safeParse(document.toJS());
  if (result.success) return { data: result.data, problems: [] };
  for (const issue of result.error.issues) {
    const where = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
    const path = issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    report(offsetOfPath(document, path) ?? 0, where + issue.message);
  }
  return { problems: found.problems };
}

/** The offset of the deepest existing node of the path. */
function offsetOfPath(document: ReturnType<typeof parseDocument>, path: PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (node && typeof node === "object" && "range" in node && !isAlias(node)) {
      const range: unknown = node.range;
      if (Array.isArray(range) && typeof range[0] === "number") return range[0];
    }
  }
  return undefined;
}
