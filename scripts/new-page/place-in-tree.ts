import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** A link of the tree, the list that contains it, and its sub-links. */
interface Place {
  to: string;
  link: YAMLMap | undefined;
  list: YAMLSeq;
  /** A sub-link: only pages whose paths continue its parent's can be its siblings. */
  isBelow: boolean;
}

/**
 * Adds a page to `content/navigation.yaml` where its address belongs: below the link whose path it continues, otherwise after the
 * link that shares most of its path. Comments stay.
 * @returns the file's new text; the same text if `all` of a sub-section already names the page's folder
 * @throws Error when nothing in the tree is near the page
 */
export function placeInTree(source: string, path: string): string {
  const document = parseDocument(source);
  if (foldersOf(document).includes(path.slice(0, path.lastIndexOf("/")))) return source;
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
  // All paths share "docs".
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

/** Folders whose pages are in the tree without being named. */
function foldersOf(document: Document): unknown[] {
  const folders: unknown[] = [];
  visit(document, {
    Pair(_key, { key, value }) {
      if (isScalar(key) && key.value === "all" && isScalar(value)) folders.push(value.value);
    },
  });
  return folders;
}

function placesOf(document: Document): Place[] {
  const places: Place[] = [];
  function collect(list: unknown, isBelow: boolean): void {
    if (!isSeq(list)) return;
    for (const item of list.items) {
      const to = toOf(item);
      const link = isMap(item) ? item : undefined;
      if (to !== undefined) places.push({ to, link, list, isBelow });
      // Sections have links, but are not links themselves.
      for (const name of ["links", "more", "subSections"]) collect(link?.get(name), to !== undefined);
    }
  }
  collect(document.get("top"), false);
  collect(document.get("sections"), false);
  return places;
}

/** The address of a link, or a path in `more`. */
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
