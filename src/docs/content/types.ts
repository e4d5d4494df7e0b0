/** The output of the content pipeline: one `Page` per file in `content/docs/`. */

export type Availability = "available" | "preview";
export type PageType = "start" | "guide" | "explain" | "reference";

/** For the outline ("On this page"). The titles of steps are headings in `blocks`, not here. */
export interface Heading {
  /** 2, 3 or 4; the page's own title is the h1. */
  depth: number;
  /** Anchor, unique in the page. */
  id: string;
  text: string;
  /** If it is not the page's language. */
  lang?: string;
}

/**
 * The page's text in reading order; records are made from these. A list has one item per line. The text of a table, for
 * searching words in it, has one row per line, its cells separated by " | ", the head first.
 */
export type Block = (
  | { kind: "heading"; depth: number; id: string; text: string }
  | { kind: "paragraph" | "list"; text: string }
  | { kind: "table"; text: string; columns: string[]; rows: TableRow[] }
  | { kind: "code"; text: string; title: string | null }
) & {
  /** The readers it is for, as ids of values of the setup; absent: for everyone. */
  for?: string[];
};

/** A row below the head of a table. */
export interface TableRow {
  /** Its anchor, if it has one. */
  id: string | null;
  cells: string[];
  /** As in blocks. */
  for?: string[];
}

export interface PageLink {
  /** As written: `/docs/…#anchor`, `#anchor`, `https://…`. */
  href: string;
  line: number;
}

export interface PageImage {
  src: string;
  line: number;
}

/** A fenced code block, or a `millrace` command in a sentence (its language is "inline"), for the checks of samples. */
export interface Sample {
  /** As written after the fence; "" if there is none. */
  language: string;
  title: string | null;
  diff: boolean;
  code: string;
  /** Line of the first line of code. */
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
  /** An id of `content/facts/parts.yaml`, or "all", or "none". */
  part: string;
  /** The state of its part: "preview" until the part runs. */
  availability: Availability;
  type: PageType;
  /**
   * The article without its h1, as HTML (the content of `<div class="prose">`). `{{origin}}` and `{{host}}` are not yet
   * replaced, nor is `{{sprite}}`, the address of the icon sprite.
   */
  html: string;
  /** The article as Markdown, from its h1 (for "Copy as Markdown" and `.md`). `{{origin}}` and `{{host}}` as above. */
  markdown: string;
  /** The same with marks around tabs that follow the setup (`markdown-tabs.ts`); absent without such tabs. */
  markdownWithTabs?: string;
  headings: Heading[];
  blocks: Block[];
  /** Every linkable id in the article: headings, steps, questions, rows of tables. */
  anchors: string[];
  /** Anchors that were renamed: old to new, from the front matter. */
  renamed: Record<string, string>;
  /** Words that find the page like its title, from the front matter. */
  keywords: string[];
  /** Whole questions in readers' words, from the front matter: the server's search finds the page by what they mean. */
  questions: string[];
  /** Not published: only development has it. */
  draft: boolean;
  /** Values of the setup whose page it is. */
  for: string[];
  links: PageLink[];
  images: PageImage[];
  samples: Sample[];
  /** Prose by paragraph, without code, for the checks of words. */
  prose: { text: string; line: number }[];
  /** Date of the last commit that touched the file, `YYYY-MM-DD`; null outside git. */
  updated: string | null;
  /** The commit (its first eight digits) and the date at which all of its commands ran; null if that is not known. */
  ran: { commit: string; date: string } | null;
}

/** A mistake in the content, shown with file, line and the corrected snippet. */
export interface ContentProblem {
  file: string;
  line: number;
  rule: string;
  /** An error stops the build; a warning is shown by the checks. */
  severity: "error" | "warning";
  message: string;
  /** The corrected text. */
  fix: string;
}
