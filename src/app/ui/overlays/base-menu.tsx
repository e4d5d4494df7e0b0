import { Menu } from "@base-ui/react/menu";
import { type FocusEvent, useRef } from "react";
import { PASSING } from "./focus-origin.ts";
import { MenuRow, PLACEMENT } from "./menu-row.tsx";
import type { OpenMenuProps } from "./overlay-types.ts";

/** An open menu next to its button, which is not part of it. */
export function BaseMenu({ label, items, button, start, id, onClose }: OpenMenuProps) {
  const isDue = useRef(start !== "none");
  const settle = () => {
    isDue.current = false;
  };
  // The menu itself takes the focus first, once or twice: when it appears, and when it is positioned.
  const onFocus = ({ target, currentTarget }: FocusEvent) => {
    if (!isDue.current || target !== currentTarget) return;
    const rows = currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]');
    [...rows].at(start === "first" ? 0 : -1)?.focus();
  };
  return (
    <Menu.Root
      open
      onOpenChange={(isOpen, details) => {
        // The button itself opens and closes the menu.
        if (!isOpen && !isOn(button.current, details.event)) onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner anchor={button} aria-label={label} {...PLACEMENT}>
          <Menu.Popup
            id={id}
            className="menu"
            aria-label={label}
            finalFocus={button}
            onFocus={onFocus}
            onKeyDown={settle}
            onPointerMove={settle}
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
