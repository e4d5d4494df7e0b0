/**
 * A section of a page as nodes to show elsewhere: its heading, and everything up to the next heading of the same or a
 * higher level. For the page itself: its lead, and the text before the first heading.
 */

const HEADINGS = "h2, h3, h4";

/** @param hash with its `#`; "" for the page itself. @returns null if the document is not a page. */
export function sectionOf(page: Document, hash: string): DocumentFragment | null {
  const prose = page.querySelector("#prose");
  if (!prose) return null;
  const section = page.createDocumentFragment();
  for (const child of prose.childNodes) section.append(child.cloneNode(true));
  const target = hash.length > 1 ? section.querySelector(`#${CSS.escape(decode(hash.slice(1)))}`) : null;
  const headings = [...section.querySelectorAll(HEADINGS)];
  // A table row has its own anchor: its section begins with the heading above it.
  const heading =
    target && headings.findLast((one) => one === target || one.contains(target) || isBefore(one, target));
  const next = heading
    ? headings.find((one) => isBefore(heading, one) && one.tagName <= heading.tagName)
    : headings[0];
  if (heading) removeSiblings(heading, "previousSibling");
  if (next) {
    removeSiblings(next, "nextSibling");
    next.remove();
  }
  const lead = heading ? null : page.querySelector(".lead");
  if (lead) section.prepend(lead.cloneNode(true));
  makeStill(section);
  return section;
}

const isBefore = (a: Node, b: Node) =>
  Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);

/** Removes everything before or after the element, at any depth. */
function removeSiblings(element: Element, direction: "previousSibling" | "nextSibling"): void {
  for (let node: Node | null = element; node?.parentNode; node = node.parentNode)
    for (let other = node[direction]; other; other = node[direction]) other.parentNode?.removeChild(other);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Opens everything and removes ids: the page behind the results may have the same ids. */
function makeStill(section: DocumentFragment): void {
  for (const list of section.querySelectorAll('[role="tablist"]')) {
    for (const tab of list.querySelectorAll('[role="tab"]')) {
      const panel = section.querySelector(`#${CSS.escape(tab.getAttribute("aria-controls") ?? "")}`);
      const label = list.ownerDocument.createElement("p");
      label.className = "preview-tab";
      label.textContent = tab.textContent;
      panel?.prepend(label);
    }
    list.remove();
  }
  for (const element of section.querySelectorAll("script, .anchor")) element.remove();
  for (const details of section.querySelectorAll("details")) details.open = true;
  for (const element of section.querySelectorAll("*"))
    for (const name of NAMES) element.removeAttribute(name);
  for (const panel of section.querySelectorAll('[role="tabpanel"]')) panel.removeAttribute("role");
  // The section's first heading is below the results' heading.
  const headings = [...section.querySelectorAll(HEADINGS)];
  const levelOf = ({ tagName }: Element) => Number(tagName.slice(1));
  const top = Math.min(...headings.map(levelOf));
  for (const heading of headings) heading.setAttribute("aria-level", String(levelOf(heading) - top + 2));
}

/** Attributes that hide or name an element, or refer to a name. */
const NAMES = ["id", "hidden", "aria-labelledby", "aria-controls", "aria-describedby"];
