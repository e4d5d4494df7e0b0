import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useRef, useState } from "react";
import { fetchAhead, loadMenu, loadSearchMenu } from "./overlays/load.ts";
import type { MenuItem, MenuStart, OpenMenuProps } from "./overlays/overlay-types.ts";

export type { MenuItem } from "./overlays/overlay-types.ts";

export interface MenuProps {
  /** Label of the button and its list, for assistive technology. */
  label: string;
  /** Content of the button. */
  children: ReactNode;
  className?: string;
  items: readonly MenuItem[];
  /** Label of a search above the rows. */
  search?: string;
}

const LazyMenu = lazy(async () => ({ default: (await loadMenu()).BaseMenu }));
const LazySearchMenu = lazy(async () => ({ default: (await loadSearchMenu()).SearchMenu }));

/** A button that opens a list of actions. Its library is fetched when the pointer or the focus comes near. */
export function Menu({ label, children, className = "icon-button", items, search }: MenuProps) {
  const [start, setStart] = useState<MenuStart | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const ahead = () => fetchAhead(search === undefined ? loadMenu : loadSearchMenu);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = { ArrowDown: "first", ArrowUp: "last" }[event.key];
    if (!at) return;
    event.preventDefault();
    setStart(at as MenuStart);
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
        // A click by keyboard has no position.
        onClick={({ detail }) => setStart(start === null ? (detail === 0 ? "first" : "none") : null)}
      >
        {children}
      </button>
      {start !== null && (
        <Suspense fallback={null}>
          <Open {...{ label, items, button, start, id, search }} onClose={() => setStart(null)} />
        </Suspense>
      )}
    </>
  );
}

interface OpenProps extends OpenMenuProps {
  search: string | undefined;
}

function Open({ search, ...props }: OpenProps) {
  return search === undefined ? <LazyMenu {...props} /> : <LazySearchMenu search={search} {...props} />;
}
