import { lazy, Suspense, useEffect, useState } from "react";
import { findFocusOrigin, returnFocus } from "./overlays/focus-origin.ts";
import { loadDialog } from "./overlays/load.ts";
import type { DialogProps } from "./overlays/overlay-types.ts";

export type { DialogProps } from "./overlays/overlay-types.ts";

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
