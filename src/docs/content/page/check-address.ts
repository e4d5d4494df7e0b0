import type { ProblemList } from "../problem.ts";

/** A link must be an absolute path of the site, an anchor of the page, or an https address. */
export function checkAddress(url: string, text: string, line: number, problems: ProblemList): void {
  if (/^(https?:\/\/|mailto:|\/(?!\/)|#|\{\{origin\}\})/i.test(url)) {
    if (/\.mdx?(#|$)/.test(url) && url.startsWith("/docs")) {
      const fix = `[${text}](${url.replace(/\.mdx?/, "")})`;
      problems.error(line, "link", `"${url}" is a file: link to the page's address.`, fix);
    }
    return;
  }
  const isScript = /^\s*(javascript|data|vbscript):/i.test(url);
  const message = isScript ? `A page cannot link to "${url}".` : `"${url}" is not an absolute path.`;
  const path = url.replace(/^(\.\.?\/)+/, "").replace(/\.mdx?(?=#|$)/, "");
  problems.error(line, "link", message, isScript ? text : `[${text}](/docs/${path})`);
}
