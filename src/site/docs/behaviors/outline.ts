/**
 * The outline ("On this page") follows the reader: current is the last heading above the reading line, or the first
 * heading when none is above it. One IntersectionObserver watches all headings; its root ends at the reading line, so a
 * heading that crosses the line is what it reports. At the end of the page the last headings cannot reach the line:
 * there the one that the address names is current, or the last one in view.
 */
interface OutlineOptions {
  /** The lists of links to headings, `.toc-list`; a page may have two, beside and above the article. */
  lists: Iterable<Element>;
}

/** The reading line is this share of the window's height below its top. */
const READING_LINE = 0.3;

/**
 * @param root what holds the headings.
 * @returns a function that ends it and leaves no link marked.
 */
export function startOutline(root: ParentNode, { lists }: OutlineOptions): () => void {
  const links = new Map<string, Element[]>();
  for (const list of lists) {
    for (const link of list.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) {
      const id = decodeURIComponent(link.hash.slice(1));
      links.set(id, [...(links.get(id) ?? []), link]);
    }
  }
  const headings = [...root.querySelectorAll("h2[id], h3[id]")].filter(({ id }) => links.has(id));
  if (headings.length === 0) return () => {};

  const mark = (current: string | undefined) => {
    for (const [id, marked] of links) for (const link of marked) setCurrent(link, id === current);
  };
  const update = () => mark(currentHeading(headings)?.id);
  const observer = new IntersectionObserver(update, {
    // The root reaches far above the window: a heading that has left it upwards still intersects.
    rootMargin: `10000000px 0px -${100 - READING_LINE * 100}% 0px`,
  });
  for (const heading of headings) observer.observe(heading);
  // The observer has nothing to report at the end of the page.
  addEventListener("scrollend", update);
  return () => {
    observer.disconnect();
    removeEventListener("scrollend", update);
    mark(undefined);
  };
}

function currentHeading(headings: Element[]): Element | undefined {
  // A heading in a hidden tab panel has no box, and is nowhere.
  const placed = headings
    .map((heading) => ({ heading, box: heading.getBoundingClientRect() }))
    .filter(({ box }) => box.height > 0);
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  const line = isAtEnd ? innerHeight : innerHeight * READING_LINE;
  const passed = placed.filter(({ box }) => box.top <= line);
  const named = isAtEnd
    ? passed.find(({ heading, box }) => `#${heading.id}` === location.hash && box.top >= 0)
    : null;
  return (named ?? passed.at(-1) ?? placed[0])?.heading;
}

function setCurrent(link: Element, isCurrent: boolean): void {
  if (isCurrent) link.setAttribute("aria-current", "location");
  else link.removeAttribute("aria-current");
}
