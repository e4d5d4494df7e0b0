import type { Page, Sample } from "../types.ts";
import type { InstallFacts } from "../facts/reference-schemas.ts";

/** A page for tests of the checks: empty except for the test's fields. */
export function pageOf(fields: Partial<Page>): Page {
  const path = fields.path ?? "/docs/cache/overview";
  return {
    path,
    file: `content${path}.mdx`,
    title: `Title of ${path}`,
    navTitle: "Cache",
    description: `Description of ${path}`,
    part: "none",
    availability: "available",
    type: "explain",
    html: "",
    markdown: "",
    headings: [],
    blocks: [],
    anchors: [],
    renamed: {},
    draft: false,
    keywords: [],
    questions: [],
    for: [],
    links: [],
    images: [],
    samples: [],
    prose: [],
    updated: null,
    ran: null,
    ...fields,
  };
}

export function sample(language: string, code: string, fields: Partial<Sample> = {}): Sample {
  return { language, code, title: null, diff: false, line: 10, ...fields };
}

/** The install commands of the CLI, as in `content/facts/cli.yaml`. */
export const install: InstallFacts = {
  published: false,
  archive: "{{origin}}/cli/millrace.tgz",
  npm: "npm install -g {{origin}}/cli/millrace.tgz",
  pnpm: "pnpm add -g {{origin}}/cli/millrace.tgz",
  yarn: "yarn global add {{origin}}/cli/millrace.tgz",
  npx: "npx -y --package {{origin}}/cli/millrace.tgz millrace",
  script: "curl -fsSL {{origin}}/install.sh | sh",
  powershell: "irm {{origin}}/install.ps1 | iex",
};
