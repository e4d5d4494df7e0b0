/** One searchable block of a page; `"null"` stands for an absent level or content, as in DocSearch. */
export interface SearchRecord {
  objectID: string;
  /** Absolute. */
  url: string;
  /** Anchor of the nearest heading, or "null". */
  anchor: string;
  /** The tree's section: "Container Builds". */
  hierarchy_lvl0: string;
  /** The page. */
  hierarchy_lvl1: string;
  hierarchy_lvl2: string;
  hierarchy_lvl3: string;
  hierarchy_lvl4: string;
  /** A paragraph, a list with an item on each line, a code block, or the cells of a table row with tabs between them. */
  content: string;
  /** On a row's record: the names of its cells' columns, "" for a column without a name. Shown, but not searched. */
  columns?: string[];
  /** On a heading's record: the first sentence of its section. Shown, but not searched. */
  summary?: string;
  /** On the page's own record, if the page has some: words that find it like its title. */
  keywords?: string[];
  /** The readers it is for, as ids of values of the setup; absent: for everyone. */
  for?: string[];
  type: "lvl1" | "lvl2" | "lvl3" | "lvl4" | "content" | "code" | "row";
  /** Heading records rank above text: 100 for a page, 90, 80, 70 for its headings, 0 for text. */
  level: number;
  /** Order inside the page, from 0. */
  position: number;
}

/** A piece of a block, no longer than a hit can show. */
export interface Part {
  type: "content" | "code" | "row";
  text: string;
  /** Names of the columns of a row's cells. */
  columns?: string[];
  /** A row's own anchor. */
  anchor?: string | undefined;
  /** Readers in addition to those of its block. */
  for?: string[];
}
