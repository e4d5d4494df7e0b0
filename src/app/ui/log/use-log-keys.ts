import { type RefObject, useEffect, useEffectEvent } from "react";
import { acceptsKey } from "../keys/accepts-key.ts";

interface Keys {
  root: RefObject<HTMLElement | null>;
  field: RefObject<HTMLInputElement | null>;
  isVirtual: boolean;
  toggleFollow: () => void;
}

/** F anywhere; while the log has the focus, `/`, and the browser's find key where the browser would not find all lines. */
export function useLogKeys({ root, field, isVirtual, toggleFollow }: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isInside = event.target instanceof Node && root.current?.contains(event.target) === true;
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === "f";
    if (isFind && isInside && isVirtual) field.current?.select();
    else if (!acceptsKey(event) || event.shiftKey) return;
    else if (event.key === "/" && isInside) field.current?.select();
    else if (event.key === "f") toggleFollow();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    // Runs before the frame's own `/`.
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, []);
}
