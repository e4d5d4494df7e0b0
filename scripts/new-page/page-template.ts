import { stringify } from "yaml";
import type { PageType } from "#docs/content/types.ts";

export interface NewPage {
  /** `/docs/cache/reference/buck2`. */
  path: string;
  title: string;
  type: PageType;
  /** A part of `content/facts/parts.yaml`, "all" or "none". */
  part: string;
}

/** Does not end with a character that is special in YAML or MDX. */
const TODO = "To be written";

/** The promises of each page type (CONTRIBUTING.md), as headings without text that could be mistaken for finished. */
const BODIES: { [type in PageType]: string } = {
  start: `${TODO}: what the reader has at the end.

## Before you begin

${TODO}: what must be there.

## Do it

\`\`\`console
$ millrace version
${TODO}: the output that proves it
\`\`\`

## Next

${TODO}: what to read next.`,
  guide: `${TODO}: what the reader has at the end.

## Before you begin

${TODO}: what must be there.

## Do it

${TODO}: the task.

## Check

${TODO}: how to see that it worked.

## Go back

${TODO}: how to take the work back.

## Related

${TODO}: links.`,
  explain: `${TODO}: the question that the page answers.

\`\`\`diagram caption="${TODO}"
reader -> page: asks
page -> reader: answers
\`\`\`

## How it works

${TODO}.

## Where it ends

${TODO}: limits, and what to use instead.`,
  reference: `${TODO}: what is listed, and where it is set.

| name | meaning |
| ---- | ------- |
| ${TODO} | ${TODO} |`,
};

/** A draft of the page: its front matter and the sections of its type. */
export function pageTemplate({ title, type, part }: NewPage): string {
  return `---
${stringify({ title, navTitle: title.slice(0, 28).trim() }, { lineWidth: 0 }).trim()}
description: ${TODO}, in 50 to 170 characters, what the reader has at the end.
type: ${type}
part: ${part}
draft: true
---

${BODIES[type]}
`;
}
