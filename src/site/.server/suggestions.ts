/** Suggestions of a "not found" answer: the nearest pages, and a search for the words of the address. */
import { escapeXml } from "#platform/text/escape-xml.ts";
import { addressWords, createNearestPages, type NamedPage } from "./nearest-pages.ts";

export interface Suggestions {
  html: string;
  markdown: string;
}

/** @param pages in the order of the tree. */
export function createSuggestions(
  pages: readonly NamedPage[],
  origin: string,
): (path: string) => Suggestions {
  const nearest = createNearestPages(pages);
  // Formatted as search hits: readers know them, and the style sheet covers them.
  const items = new Map(
    pages.map((page) => [
      page,
      `<li class="hit"><a href="${page.path}"><span class="hit-lvl0">${escapeXml(page.section)}</span>` +
        `<span class="hit-title">${escapeXml(page.title)}</span><span class="hit-path">${page.path}</span></a></li>`,
    ]),
  );
  return (path) => {
    const near = nearest(path);
    // Letters and digits only: no part of a stranger's address becomes markup.
    const words = addressWords(path);
    const search = `/docs?q=${words.map(encodeURIComponent).join("+")}`;
    const list = near.map((page) => items.get(page)).join("");
    const links = near.map(({ title, path: to }) => `- [${title}](${origin}${to}.md)\n`).join("");
    return {
      html:
        (list &&
          `<p id="nearest">Nearest to this address:</p><ul class="hits" aria-labelledby="nearest">${list}</ul>`) +
        (words.length > 0
          ? `<div class="blank-actions"><a class="text-link" href="${search}">Search for “${words.join(" ")}”</a></div>`
          : ""),
      markdown: links && `\nNearest to this address:\n\n${links}`,
    };
  };
}
