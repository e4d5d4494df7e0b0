import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { arrangeRows, type Arrangement } from "./row-arrivals.ts";

const BATCH_MS = 1000;
const NONE: ReadonlySet<string> = new Set();

let lastInputAt = -Infinity;
const noteInput = () => {
  lastInputAt = performance.now();
};
addEventListener("pointerdown", noteInput, { capture: true, passive: true });
addEventListener("keydown", noteInput, { capture: true, passive: true });

/** At most one outside change a second; changes after the reader's own click or key are shown immediately. */
export function useBatched<Data>(latest: Data): Data {
  const [shown, setShown] = useState(latest);
  const shownAt = useRef(-Infinity);
  useEffect(() => {
    if (shown === latest) return;
    const now = performance.now();
    const isOwn = now - lastInputAt < BATCH_MS;
    const wait = isOwn ? 0 : Math.max(0, shownAt.current + BATCH_MS - now);
    const show = () => {
      shownAt.current = performance.now();
      setShown(latest);
    };
    if (wait === 0) return show();
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [latest, shown]);
  return shown;
}

interface Input<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** A new view shows everything: the reader asked for it. */
  view: string;
  hasCurrent: boolean;
  frame: RefObject<HTMLElement | null>;
}

/** The rows when the table was last at rest. */
interface Rest<Row> {
  view: string;
  rows: readonly Row[];
  /** Keys of the rows that had just arrived. */
  fresh: ReadonlySet<string>;
}

function freshOf<Row>(rows: readonly Row[], known: readonly Row[], keyOf: (row: Row) => string) {
  const keys = new Set(known.map(keyOf));
  return new Set(rows.map(keyOf).filter((key) => !keys.has(key)));
}

/** The rows to show now: while the reader points at them, has scrolled or has one open, none moves. */
export function useHeldRows<Row>({ rows, keyOf, view, hasCurrent, frame }: Input<Row>) {
  const [isPointing, setIsPointing] = useState(false);
  const isScrolled = useIsScrolled(frame);
  const isHeld = hasCurrent || isScrolled || isPointing;
  const [rest, setRest] = useState<Rest<Row>>({ view, rows, fresh: NONE });
  const former = isHeld && rest.view === view ? rest.rows : null;
  if (!former && (rest.rows !== rows || rest.view !== view))
    setRest({ view, rows, fresh: rest.view === view ? freshOf(rows, rest.rows, keyOf) : NONE });
  const arrangement: Arrangement<Row> = useMemo(
    () => arrangeRows({ former, latest: rows, keyOf, keepsGone: isPointing }),
    [former, rows, keyOf, isPointing],
  );
  const fresh = useMemo(
    () => (rest.rows === rows ? rest.fresh : freshOf(rows, rest.rows, keyOf)),
    [rest, rows, keyOf],
  );
  /** Shows the waiting rows. */
  const release = () => setRest({ view, rows, fresh });
  useEffect(() => {
    if (!isPointing) return;
    // No leave event fires for an element that was removed under the pointer.
    const look = ({ target }: PointerEvent) => {
      if (target instanceof Node && !frame.current?.contains(target)) setIsPointing(false);
    };
    addEventListener("pointerover", look);
    return () => removeEventListener("pointerover", look);
  }, [isPointing, frame]);
  const pointing = {
    // Not on enter: a table that appears under a resting pointer is not pointed at.
    onPointerMove: () => setIsPointing(true),
    onPointerLeave: () => setIsPointing(false),
  };
  return { ...arrangement, fresh, release, pointing };
}

/** Whether the table's head has left the window at its top. */
function useIsScrolled(frame: RefObject<HTMLElement | null>): boolean {
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const look = () => setIsScrolled((frame.current?.getBoundingClientRect().top ?? 0) < 0);
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, [frame]);
  return isScrolled;
}
