/** What the light wrappers and the heavy parts behind them agree on. */
import type { ReactNode, RefObject } from "react";
import type { IconName } from "../icon.tsx";

export interface DialogProps {
  /** A question with the name in it. */
  title: ReactNode;
  /** Esc, a press beside it (unless something was typed), and what the footer's buttons call. */
  onClose: () => void;
  /** Where the focus begins; the first control when absent. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Buttons, the safe one first. */
  footer?: ReactNode;
  /** 640 instead of 480. */
  isWide?: boolean;
  /** A question that interrupts: before something that cannot be undone. */
  isAlert?: boolean;
  children: ReactNode;
}

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

/** Which row has the focus when the menu is there: opened with a key the first or the last one. */
export type MenuStart = "first" | "last" | "none";

export interface OpenMenuProps {
  label: string;
  items: readonly MenuItem[];
  /** The button that opened it; it gets the focus back. */
  button: RefObject<HTMLButtonElement | null>;
  start: MenuStart;
  /** For `aria-controls`. */
  id: string;
  onClose: () => void;
}
