import type { Page, Sample } from "../types.ts";

/** A page for tests of the checks: empty but for what a test gives. */
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
    for: [],
    links: [],
    images: [],
    samples: [],
    prose: [],
    updated: null,
    ...fields,
  };
}

export function sample(language: string, code: string, fields: Partial<Sample> = {}): Sample {
  return { language, code, title: null, diff: false, line: 10, ...fields };
}
