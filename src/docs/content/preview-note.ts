import type { Page } from "./types.ts";

/** The line with which the text of a page says that its part does not run yet; nothing of other pages. */
export const previewNote = ({ availability }: Pick<Page, "availability">): string[] =>
  availability === "preview" ? ["Preview: what this page describes does not run yet."] : [];
