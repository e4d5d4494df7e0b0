import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useState } from "react";
import { findFocusOrigin, returnFocus } from "./overlays/focus-origin.ts";
import { loadDialog } from "./overlays/load.ts";

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

const LazyDialog = lazy(async () => ({ default: (await loadDialog()).BaseDialog }));

/** Rendered while it is open. The library behind it is fetched with the first one. */
export function Dialog(props: DialogProps) {
  useReturningFocus();
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  );
}

/** What had the focus before gets it back. */
export function useReturningFocus(): void {
  const [origin] = useState(findFocusOrigin);
  useEffect(
    () => () => {
      // The dialog is still in the page here, and has the focus.
      setTimeout(() => returnFocus(origin));
    },
    [origin],
  );
}
