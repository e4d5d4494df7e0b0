import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";

/** A link of the tree, the list that it stands in, and its own sub-links. */
interface Place {
  to: string;
  link: YAMLMap | undefined;
  list: YAMLSeq;
  /** A sub-link: only pages whose paths continue its parent's may stand beside it. */
  isBelow: boolean;
}

/**
 * Names a page in `content/navigation.yaml`, where its address belongs: below the link whose path it continues, otherwise
 * behind the link with which it shares most of its path. Comments stay.
 * @returns the file's new text
 * @throws Error when nothing in the tree is near the page
 */
export function placeInTree(source: string, path: string): string {
  const document = parseDocument(source);
  const places = placesOf(document);
  const parent = longest(
    places.filter(({ to, link }) => link && path.startsWith(`${to}/`) && link.get("end") !== true),
  );
  if (parent?.link) {
    addBelow(document, parent.link, path);
    return document.toString({ lineWidth: 0 });
  }
  const siblings = places.filter(({ isBelow }) => !isBelow);
  const shared = Math.max(0, ...siblings.map(({ to }) => sharedSegments(to, path)));
  const sibling = siblings.findLast(({ to }) => sharedSegments(to, path) === shared);
  // "docs" alone is shared by everything.
  if (!sibling || shared < 2)
    throw new Error(`Nothing in content/navigation.yaml is near ${path}: name it there by hand.`);
  const at = sibling.list.items.findIndex((item) => toOf(item) === sibling.to);
  sibling.list.items.splice(
    at + 1,
    0,
    sibling.link ? document.createNode({ to: path }) : document.createNode(path),
  );
  return document.toString({ lineWidth: 0 });
}

function addBelow(document: Document, link: YAMLMap, path: string): void {
  const links = link.get("links");
  if (isSeq(links)) return void links.items.push(document.createNode({ to: path }));
  const more = link.get("more");
  if (isSeq(more)) return void more.items.push(document.createNode(path));
  link.set("more", document.createNode([path]));
}

function placesOf(document: Document): Place[] {
  const places: Place[] = [];
  function visit(list: unknown, isBelow: boolean): void {
    if (!isSeq(list)) return;
    for (const item of list.items) {
      const to = toOf(item);
      const link = isMap(item) ? item : undefined;
      if (to !== undefined) places.push({ to, link, list, isBelow });
      // Sections have links, too, and are no links themselves.
      for (const name of ["links", "more", "subSections"]) visit(link?.get(name), to !== undefined);
    }
  }
  visit(document.get("top"), false);
  visit(document.get("sections"), false);
  return places;
}

/** Of a link, or of a path in `more`. */
function toOf(item: unknown): string | undefined {
  const value = isMap(item) ? item.get("to") : (item as { value?: unknown } | null)?.value;
  return typeof value === "string" ? value : undefined;
}

const longest = (places: readonly Place[]) =>
  places.toSorted((one, other) => other.to.length - one.to.length)[0];

function sharedSegments(one: string, other: string): number {
  const [a, b] = [one.split("/").slice(1), other.split("/").slice(1)];
  const end = a.findIndex((segment, at) => segment !== b[at]);
  return end < 0 ? a.length : end;
}
