import { isNode, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { didYouMean, type ProblemList } from "../problem.ts";

const schema = z.strictObject({
  title: z.string().min(1).max(60),
  navTitle: z.string().min(1).max(28),
  description: z.string().min(50).max(170),
  type: z.enum(["start", "guide", "explain", "reference"]),
  part: z.string().regex(/^[a-z-]+$/),
  renamed: z.record(z.string(), z.string()).default({}),
  keywords: z.array(z.string().min(2).max(80)).max(20).default([]),
  questions: z.array(z.string().min(8).max(100)).max(12).default([]),
  draft: z.boolean().default(false),
});

export type FrontMatter = z.infer<typeof schema>;

const EXAMPLES: Record<string, string> = {
  title: "title: Build your first image # at most 60 characters",
  navTitle: "navTitle: Quickstart # at most 28 characters",
  description:
    "description: Push a build to a warm builder and see its layers come back from the cache. # 50 to 170 characters",
  type: "type: start # start | guide | explain | reference",
  part: "part: cache # of content/facts/parts.yaml; all: every part; none: no part, as in a page about Docker in general",
  renamed: "renamed: { old-anchor: new-anchor }",
  keywords: 'keywords: ["what readers type"] # search words that the page itself does not contain',
  questions:
    'questions: ["why is my build slow"] # at most 12 whole questions of 8 to 100 characters, in readers\' words',
  draft: "draft: true # only `npm run dev` shows the page",
};

const TEMPLATE = ["---", ...Object.values(EXAMPLES).slice(0, 5), "---"].join("\n");

/** `yaml` is the text between the dashes, whose first line is line 2 of the file; undefined if there is none. */
export function parseFrontMatter(yaml: string | undefined, problems: ProblemList): FrontMatter | null {
  if (yaml === undefined) {
    problems.error(1, "front-matter", "The page has no front matter.", TEMPLATE);
    return null;
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + 1;
  for (const error of document.errors) {
    const line = lineAt(error.pos[0]);
    const source = yaml.split("\n")[line - 2] ?? "";
    problems.error(line, "front-matter", `Not YAML: ${firstLine(error.message)}`, quoted(source));
  }
  if (document.errors.length > 0) return null;

  const result = schema.safeParse(document.toJS() ?? {});
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0] ?? "")];
    for (const key of unknown) report(key, issue, (offset) => lineAt(offset));
  }
  return null;

  function report(key: string, issue: z.core.$ZodIssue, line: (offset: number) => number): void {
    const node = document.get(key, true);
    const range: unknown = isNode(node) ? node.range?.[0] : undefined;
    const value: unknown = document.get(key);
    const fix = EXAMPLES[key] ?? "Remove the line, or correct its name.";
    problems.error(
      line(typeof range === "number" ? range : 0),
      "front-matter",
      messageOf(key, value, issue),
      fix,
    );
  }
}

function messageOf(key: string, value: unknown, issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys")
    return `"${key}" is unknown.${didYouMean(key, Object.keys(EXAMPLES))}`;
  if (value === undefined) return `"${key}" is missing.`;
  if (issue.code === "too_big")
    return `"${key}" has ${String(value).length} characters; the maximum is ${issue.maximum}.`;
  if (issue.code === "too_small")
    return `"${key}" has ${String(value).length} characters; the minimum is ${issue.minimum}.`;
  return `"${key}" is ${JSON.stringify(value)}: ${issue.message}.`;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").replace(/:$/, "");
}

/** A common mistake is a value that contains a colon or a quote; double quotes fix it. */
function quoted(line: string): string {
  const match = /^(\w+):\s*(.*)$/.exec(line);
  return match ? `${match[1]}: ${JSON.stringify(match[2])}` : line;
}
