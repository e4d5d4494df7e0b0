import { lazy, type ReactNode, type RefObject, Suspense } from "react";

export interface DialogProps {
  /** A question with the name in it. */
  title: ReactNode;
  onClose: () => void;
  /** Where the focus begins; the first control when absent. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Buttons, the safe one first. */
  footer?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

const LazyDialog = lazy(async () => ({ default: (await import("./overlays/base-dialog.tsx")).BaseDialog }));

/** Rendered while it is open. The library behind it is fetched with the first one. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  );
}
