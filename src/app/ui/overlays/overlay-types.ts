/** Types shared by the light wrappers and the heavy parts that they load. */
import type { ReactNode, RefObject } from "react";
import type { IconName } from "../icon.tsx";

export interface DialogProps {
  /** A question that contains the name. */
  title: ReactNode;
  /** Called by Esc, by a press outside (unless something was typed), and by the footer's buttons. */
  onClose: () => void;
  /** The initial focus; the first control when absent. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Buttons, the safe one first. */
  footer?: ReactNode;
  /** 640 instead of 480. */
  isWide?: boolean;
  /** A question that interrupts: before an action that cannot be undone. */
  isAlert?: boolean;
  children: ReactNode;
}

export interface MenuItem {
  key: string;
  label: ReactNode;
  /** Text for the search and for typed letters, when the label is not text. */
  text?: string;
  icon?: IconName;
  /** Grey, at the right: "owner". */
  note?: string;
  /** An address of the application, or of another page. */
  to?: string;
  run?: () => void;
  isDanger?: boolean;
  /** In a choice: whether it is the chosen one. */
  isChosen?: boolean;
  /** Whether a line is above it. */
  startsGroup?: boolean;
  /** Stays when the search hides others. */
  isFixed?: boolean;
}

/** Which row has the focus when the menu appears: the first or the last one if a key opened it. */
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
