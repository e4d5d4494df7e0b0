import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useId,
  useRef,
  useState,
} from "react";
import type { IconName } from "./icon.tsx";
import { fetchAhead, loadMenu, loadSearchMenu } from "./overlays/load.ts";

export interface MenuItem {
  key: string;
  label: ReactNode;
  /** What the search and the first letters look at, when the label is no text. */
  text?: string;
  icon?: IconName;
  /** Grey, at the right: "owner". */
  note?: string;
  /** An address of the application, or of another page. */
  to?: string;
  run?: () => void;
  isDanger?: boolean;
  /** Of a choice: whether it is the chosen one. */
  isChosen?: boolean;
  /** A line above it. */
  startsGroup?: boolean;
  /** Stays while the search finds others. */
  isFixed?: boolean;
}

export interface MenuProps {
  /** Of the button, for assistive technology. */
  label: string;
  /** What the button shows. */
  children: ReactNode;
  className?: string;
  items: readonly MenuItem[];
  /** A search above the rows: its label. */
  search?: string;
}

const LazyMenu = lazy(async () => ({ default: (await loadMenu()).BaseMenu }));
const LazySearchMenu = lazy(async () => ({ default: (await loadSearchMenu()).SearchMenu }));

type Start = "first" | "last" | "none";

/** A button that opens a list of actions. The library behind it is fetched when the pointer or the focus comes near. */
export function Menu({ label, children, className = "ib", items, search }: MenuProps) {
  const [start, setStart] = useState<Start | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const ahead = () => fetchAhead(search === undefined ? loadMenu : loadSearchMenu);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = { ArrowDown: "first", ArrowUp: "last" }[event.key];
    if (!at) return;
    event.preventDefault();
    setStart(at as Start);
  };
  return (
    <>
      <button
        ref={button}
        className={className}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={start !== null}
        aria-controls={start === null ? undefined : id}
        onPointerEnter={ahead}
        onFocus={ahead}
        onKeyDown={onKeyDown}
        // A click by a key has no position.
        onClick={({ detail }) => setStart(start === null ? (detail === 0 ? "first" : "none") : null)}
      >
        {children}
      </button>
      {start !== null && (
        <Suspense fallback={null}>
          <Open
            {...{ label, items, button, start, id, search }}
            onClose={() => setStart(null)}
          />
        </Suspense>
      )}
    </>
  );
}

interface OpenProps {
  label: string;
  items: readonly MenuItem[];
  button: RefObject<HTMLButtonElement | null>;
  start: Start;
  id: string;
  search: string | undefined;
  onClose: () => void;
}

function Open({ search, ...props }: OpenProps) {
  return search === undefined ? <LazyMenu {...props} /> : <LazySearchMenu search={search} {...props} />;
}
