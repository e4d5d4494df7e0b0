import { Menu } from "@base-ui/react/menu";
import { useState } from "react";
import { Icon } from "../icon.tsx";
import { isOn } from "./base-menu.tsx";
import { PASSING } from "./focus-origin.ts";
import { MenuRow, PLACEMENT, textOf } from "./menu-row.tsx";
import type { OpenMenuProps } from "./overlay-types.ts";

interface Props extends OpenMenuProps {
  /** The field's label. */
  search: string;
}

/** A menu with a search above its rows. */
export function SearchMenu({ label, items, button, id, search, onClose }: Props) {
  const [text, setText] = useState("");
  const query = text.trim().toLocaleLowerCase();
  const shown = items.filter((item) => item.isFixed || textOf(item).toLocaleLowerCase().includes(query));
  return (
    <Menu.FilterProvider value={text} onValueChange={setText} filter={null}>
      <Menu.Root
        open
        onOpenChange={(isOpen, details) => {
          if (!isOpen && !isOn(button.current, details.event)) onClose();
        }}
      >
        <Menu.Portal>
          <Menu.Positioner anchor={button} aria-label={label} {...PLACEMENT}>
            <Menu.Popup id={id} className="menu" aria-label={label} finalFocus={button} {...PASSING}>
              <div className="menu-input">
                <Icon name="search" className="small" />
                <Menu.Input aria-label={search} placeholder={search} />
              </div>
              <Menu.List>
                {shown.map((item) => (
                  <MenuRow key={item.key} item={item} />
                ))}
              </Menu.List>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </Menu.FilterProvider>
  );
}
