import type { Page } from "../types.ts";

/** The line that tells text readers that the page's part does not run yet; empty for other pages. */
export const previewNote = ({ availability }: Pick<Page, "availability">): string[] =>
  availability === "preview" ? ["Preview: what this page describes does not run yet."] : [];
