/** What the content pipeline hands on: one `Page` per file in `content/docs/`. */

export type Availability = "available" | "preview";
export type PageType = "start" | "guide" | "explain" | "reference";

export interface Heading {
  /** 2, 3 or 4; the page's own title is the h1. */
  depth: number;
  /** Anchor, unique in the page. */
  id: string;
  text: string;
}

/** The page's text in reading order; records are made from these. */
export type Block =
  | { kind: "heading"; depth: number; id: string; text: string }
  | { kind: "paragraph" | "list" | "table" | "code"; text: string };

export interface PageLink {
  /** As written: `/docs/…#anchor`, `#anchor`, `https://…`. */
  href: string;
  line: number;
}

export interface Page {
  /** URL path, `/docs/…`, no trailing slash. */
  path: string;
  /** Relative to the repository root. */
  file: string;
  title: string;
  navTitle: string;
  description: string;
  availability: Availability;
  type: PageType;
  /** The article without its h1, as HTML; `{{origin}}` and `{{host}}` not yet replaced. */
  html: string;
  /** The article as Markdown (for "Copy as Markdown" and `.md`). */
  markdown: string;
  headings: Heading[];
  blocks: Block[];
  links: PageLink[];
  /** Date of the last commit that touched the file, `YYYY-MM-DD`; null outside git. */
  updated: string | null;
}

/** A mistake in the content, shown with file, line and the corrected snippet. */
export interface ContentProblem {
  file: string;
  line: number;
  rule: string;
  message: string;
  /** What to write instead. */
  fix: string;
}
