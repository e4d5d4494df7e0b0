/**
 * The outline ("On this page") follows the reader: current is the last heading above the reading line, or the first
 * heading when none is above it. One IntersectionObserver watches all headings; its root ends at the reading line, so a
 * heading that crosses the line is what it reports. At the end of the page the last headings cannot reach the line:
 * there the one that the address names is current, or the last one in view.
 *
 * It is the boot script's, which hands it to the client as `window.followOutline`; keep it small.
 */

/** The reading line is this share of the window's height below its top. */
const READING_LINE = 0.3;

// The root reaches far above the window: a heading that has left it upwards still intersects.
const observer = new IntersectionObserver(markCurrentHeading, {
  rootMargin: `9999999px 0px -${100 - READING_LINE * 100}%`,
});
/** Of all outlines; a page may have two, beside and above the article. */
let links: Element[] = [];

// The observer has nothing to report at the end of the page.
addEventListener("scrollend", markCurrentHeading);

/** Follows the headings of the page that is in the document now; to be called again when another one is. */
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

/** As `#id`; undefined when the page has no heading that is shown. */
function currentHeading(): string | undefined {
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  const line = innerHeight * (isAtEnd ? 1 : READING_LINE);
  let current: string | undefined;
  for (const link of links) {
    const box = headingOf(link)?.getBoundingClientRect();
    // A heading in a hidden tab panel has no box, and is nowhere.
    if (!box?.height) continue;
    const isPassed = box.top <= line;
    if (isPassed || !current) current = hrefOf(link);
    if (isAtEnd && isPassed && box.top >= 0 && current === location.hash) break;
  }
  return current;
}
