import { type ComponentType, useEffect, useState } from "react";
import { announce } from "#ui/announce.ts";

/**
 * A component whose code is fetched on request.
 * @param label its name for readers, at the beginning of a sentence: "The filters".
 * @returns the component, null until it is loaded, and a function that requests it.
 */
export function useLate<Props>(
  label: string,
  load: () => Promise<ComponentType<Props>>,
): [ComponentType<Props> | null, () => void] {
  const [late, setLate] = useState<{ Part: ComponentType<Props> } | null>(null);
  const ask = () => {
    if (late) return;
    load().then(
      (Part) => setLate({ Part }),
      () => announce(`${label} could not be loaded. Check the connection and try again.`),
    );
  };
  return [late && late.Part, ask];
}

/** The same for a component that is wanted without an act of the reader. */
export function usePart<Props>(
  label: string,
  load: () => Promise<ComponentType<Props>>,
  isWanted = true,
): [ComponentType<Props> | null] {
  const [Part, ask] = useLate(label, load);
  useEffect(() => {
    if (isWanted) ask();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [isWanted]);
  return [Part];
}
