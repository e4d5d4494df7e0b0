/**
 * Makes the outline ("On this page") follow the reader: the current entry is the last heading above the
 * reading line, or the first heading if none is above it. One IntersectionObserver watches all headings; its
 * root ends at the reading line, so it reports each heading that crosses the line. At the end of the page the
 * last headings cannot reach the line: the current entry is then the heading that the address names, or the last
 * one in view.
 *
 * Part of the boot script, which passes it to the client as `window.followOutline`; keep it small.
 */

/** The reading line is this share of the window's height below its top. */
const READING_LINE = 0.3;

// The root reaches far above the window, so that a heading scrolled out at the top still intersects.
const observer = new IntersectionObserver(markCurrentHeading, {
  rootMargin: `9999999px 0px -${100 - READING_LINE * 100}%`,
});
/** The links of all outlines; a page may have two, next to and above the article. */
let links: Element[] = [];

// At the end of the page the observer has nothing to report.
addEventListener("scrollend", markCurrentHeading);

/** Follows the headings of the page now in the document; call again after every page change. */
export function followOutline(): void {
  observer.disconnect();
  links = [...document.querySelectorAll(".toc-list a")];
  for (const link of links) {
    const heading = headingOf(link);
    if (heading) observer.observe(heading);
  }
  markCurrentHeading();
}

const hrefOf = (link: Element) => link.getAttribute("href") ?? "";
const headingOf = (link: Element) => document.getElementById(hrefOf(link).slice(1));

function markCurrentHeading(): void {
  const current = currentHeading();
  for (const link of links)
    if (hrefOf(link) === current) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
}

/** As `#id`; undefined if the page has no visible heading. */
function currentHeading(): string | undefined {
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  const line = innerHeight * (isAtEnd ? 1 : READING_LINE);
  let current: string | undefined;
  for (const link of links) {
    const box = headingOf(link)?.getBoundingClientRect();
    // A heading in a hidden tab panel has no box, and therefore no position.
    if (!box?.height) continue;
    const isPassed = box.top <= line;
    if (isPassed || !current) current = hrefOf(link);
    if (isAtEnd && isPassed && box.top >= 0 && current === location.hash) break;
  }
  return current;
}
