/**
 * A screen's facts for the frame: its title, its place (breadcrumbs), and its actions. The top bar, the command menu
 * and the single keys read them.
 */
import { type ReactNode, useLayoutEffect, useSyncExternalStore } from "react";
import type { IconName } from "../ui/icon.tsx";

export interface Crumb {
  label: string;
  /** Absent on the last crumb. */
  to?: string;
}

/** Available in the page's command menu, and by its key. */
export interface PageAction {
  /** Verb first: "New token". */
  label: string;
  icon: IconName;
  /** One letter: `N`. */
  shortcut?: string;
  /** The equivalent command line, to be copied. */
  command?: string;
  run: () => void;
}

interface PageFacts {
  title: string;
  crumbs: readonly Crumb[];
  actions: readonly PageAction[];
}

const NOTHING: PageFacts = { title: "", crumbs: [], actions: [] };
let current = NOTHING;
const listeners = new Set<() => void>();

function change(next: PageFacts) {
  current = next;
  for (const listener of listeners) listener();
}

/** Read at the time of a key: the frame renders with the facts of a new page only after that page is shown. */
export const readPageFacts = (): PageFacts => current;

/** The current page. */
export function usePageFacts(): PageFacts {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readPageFacts);
}

interface Props {
  /** The title of the browser's tab and of the last crumb. */
  title: string;
  /** Places above it. */
  above?: readonly Crumb[];
  actions?: readonly PageAction[];
  /** The page uses the full height and scrolls inside. */
  isFull?: boolean;
  children: ReactNode;
}

const NONE: readonly never[] = [];

/** Every screen's outermost element. */
export function Page({ title, above = NONE, actions = NONE, isFull = false, children }: Props) {
  // Before the paint: the keys of visible actions must work.
  useLayoutEffect(() => {
    document.title = `${[title, ...above.map(({ label }) => label).toReversed()].join(" · ")} · ${__SITE_NAME__}`;
    change({ title, crumbs: [...above, { label: title }], actions });
  }, [title, above, actions]);
  useLayoutEffect(() => () => change(NOTHING), []);
  return (
    <main className="page" id="content" data-full={isFull || undefined}>
      {children}
    </main>
  );
}

interface HeadProps {
  title: ReactNode;
  /** Next to the title: a state, an id. */
  beside?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The only `h1`; it takes the focus after a navigation. */
export function Head({ title, beside, lead, actions }: HeadProps) {
  return (
    <div className="head">
      <div>
        <div className="row gap12 wrap">
          <h1 tabIndex={-1}>{title}</h1>
          {beside}
        </div>
        {lead && <p>{lead}</p>}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </div>
  );
}
