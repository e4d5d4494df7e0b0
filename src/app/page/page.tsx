/**
 * What a screen tells the frame: its title, its place (breadcrumbs), and what can be done on it. The top bar, the command
 * menu and the single keys read it.
 */
import { type ReactNode, useLayoutEffect, useSyncExternalStore } from "react";
import type { IconName } from "../ui/icon.tsx";

export interface Crumb {
  label: string;
  /** Absent on the last one. */
  to?: string;
}

/** In the command menu of the page, and by its key. */
export interface PageAction {
  /** Verb first: "New token". */
  label: string;
  icon: IconName;
  /** One letter: `N`. */
  shortcut?: string;
  /** The same for the command line, to be copied. */
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

/** The page that is shown. */
export function usePageFacts(): PageFacts {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

interface Props {
  /** Of the browser's tab and of the last crumb. */
  title: string;
  /** Places above it. */
  above?: readonly Crumb[];
  actions?: readonly PageAction[];
  /** It uses the whole height and scrolls inside. */
  isFull?: boolean;
  children: ReactNode;
}

const NONE: readonly never[] = [];

/** Every screen's outermost element. */
export function Page({ title, above = NONE, actions = NONE, isFull = false, children }: Props) {
  // Before the paint: what can be seen can be acted on by its key.
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
  /** Beside the title: a state, an id. */
  beside?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The one `h1`; it takes the focus after a navigation. */
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
      {actions && <div className="acts">{actions}</div>}
    </div>
  );
}
