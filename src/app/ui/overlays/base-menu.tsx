import { Menu } from "@base-ui/react/menu";
import { type FocusEvent, type RefObject, useRef } from "react";
import type { MenuItem } from "../menu.tsx";
import { PASSING } from "./focus-origin.ts";
import { MenuRow } from "./menu-row.tsx";

export interface OpenMenuProps {
  label: string;
  items: readonly MenuItem[];
  /** The button that opened it; it gets the focus back. */
  button: RefObject<HTMLButtonElement | null>;
  /** Opened with a key: the first row has the focus, or the last one. */
  start: "first" | "last" | "none";
  /** For `aria-controls`. */
  id: string;
  onClose: () => void;
}

/** An open menu beside its button, which is not part of it. */
export function BaseMenu({ label, items, button, start, id, onClose }: OpenMenuProps) {
  const isDue = useRef(start !== "none");
  // The menu itself takes the focus first.
  const onFocus = ({ target, currentTarget }: FocusEvent) => {
    if (!isDue.current || target !== currentTarget) return;
    isDue.current = false;
    const rows = currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]');
    [...rows].at(start === "first" ? 0 : -1)?.focus();
  };
  return (
    <Menu.Root
      open
      onOpenChange={(isOpen, details) => {
        // The button opens and closes it by itself.
        if (!isOpen && !isOn(button.current, details.event)) onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner className="menu-v" anchor={button} align="start" sideOffset={4} collisionPadding={8}>
          <Menu.Popup
            id={id}
            className="menu"
            aria-label={label}
            finalFocus={button}
            onFocus={onFocus}
            {...PASSING}
          >
            {items.map((item) => (
              <MenuRow key={item.key} item={item} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

export function isOn(button: HTMLElement | null, event: Event): boolean {
  return event.type !== "keydown" && event.target instanceof Node && button?.contains(event.target) === true;
}
