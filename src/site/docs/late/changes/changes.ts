import { adoptStyles } from "../adopt-styles.ts";
import { make } from "../parts/make.ts";
import { keepVisit, visitOf, type Visit } from "./visits.ts";
import styles from "./changes.css?inline";
import { loadSections, type Section } from "./load-sections.ts";

/** The number of links that fit into the line; the others are counted. */
const MAX_LINKS = 3;

/**
 * Lists at the top of a page the sections that have changed since the reader's last visit, and marks them; then stores this
 * visit as the last one, once the page counts as read. Does nothing at a first visit.
 * @param readAt when the page counts as read, in ms
 * @returns a function that stops this.
 */
export function startChanges(path: string, readAt: number): () => void {
  const controller = new AbortController();
  void run(path, readAt, controller.signal);
  return () => controller.abort();
}

async function run(path: string, readAt: number, signal: AbortSignal): Promise<void> {
  const visit = visitOf(path);
  const sections = await loadSections(path, signal);
  if (!sections || signal.aborted) return;
  const keep = () =>
    keepVisit(
      path,
      sections.map(({ hash }) => hash),
    );
  const timer = setTimeout(keep, Math.max(0, readAt - Date.now()));
  signal.addEventListener("abort", () => clearTimeout(timer));
  if (!visit) return;
  const changed = sections.filter(({ hash }) => !visit.hashes.has(hash));
  if (changed.length > 0) show(changed, visit, () => (clearTimeout(timer), keep()), signal);
}

function show(changed: Section[], visit: Visit, onDismiss: () => void, signal: AbortSignal): void {
  const main = document.querySelector(".doc-page");
  if (!main) return;
  adoptStyles(styles);
  const headings = changed.flatMap(({ anchor }) => document.getElementById(anchor) ?? []);
  const links = headings.slice(0, MAX_LINKS).map((heading) => {
    return make("a", { href: `#${heading.id}` }, titleOf(heading));
  });
  const rest = changed.length - links.length;
  const date = visit.day.toLocaleDateString(document.body.lang || document.documentElement.lang, {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
  const dismiss = make("button", { className: "changes-dismiss", type: "button", ariaLabel: "Dismiss" });
  const text = make("p", {}, `Changed since your last visit on ${date}: `, ...joined(links, rest));
  const note = make(
    "aside",
    { className: "changes", ariaLabel: "Changed since your last visit" },
    text,
    dismiss,
  );
  const remove = () => {
    note.remove();
    for (const heading of headings) heading.classList.remove("is-changed");
  };
  dismiss.addEventListener("click", () => {
    remove();
    onDismiss();
    // The reader's position was the beginning of the page.
    document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
  });
  signal.addEventListener("abort", remove);
  for (const heading of headings) heading.classList.add("is-changed");
  main.prepend(note);
}

/** The text without the anchor's "Link to …", which is only a label. */
const titleOf = (heading: Element) => heading.textContent.trim();

/** "A, B and 2 more". Text before the first heading has no link. */
function joined(links: Node[], rest: number): (Node | string)[] {
  const more = links.length === 0 ? "the introduction" : `${rest} more`;
  const parts = rest > 0 ? [...links, more] : links;
  return parts.flatMap((part, index) => {
    if (index === 0) return [part];
    return [index === parts.length - 1 ? " and " : ", ", part];
  });
}
