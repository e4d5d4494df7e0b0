import { useEffect, useState } from "react";

/**
 * Runs work that may follow a letter once the letter itself is on the screen: React alone would often do both before the
 * same frame. @returns cancels it
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    timer = setTimeout(run);
  };
  // A hidden page is not painted.
  let frame = 0;
  if (document.hidden) later();
  else frame = requestAnimationFrame(later);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** The value at the last paint; of several in a frame the last one counts. */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => (painted === value ? undefined : afterPaint(() => setPainted(value))), [painted, value]);
  return painted;
}
