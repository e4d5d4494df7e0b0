import { lazy, Suspense, useEffect, useState } from "react";
import { findFocusOrigin, returnFocus } from "./overlays/focus-origin.ts";
import { loadDialog } from "./overlays/load.ts";
import type { DialogProps } from "./overlays/overlay-types.ts";

export type { DialogProps } from "./overlays/overlay-types.ts";

const LazyDialog = lazy(async () => ({ default: (await loadDialog()).BaseDialog }));

/** Rendered while open. Its library is fetched with the first dialog. */
export function Dialog(props: DialogProps) {
  useReturningFocus();
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  );
}

/** Returns the focus to the element that had it before. */
export function useReturningFocus(): void {
  const [origin] = useState(findFocusOrigin);
  useEffect(
    () => () => {
      // At this point the dialog is still in the page, and has the focus.
      setTimeout(() => returnFocus(origin));
    },
    [origin],
  );
}
