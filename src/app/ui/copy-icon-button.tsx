import { useEffect, useState } from "react";
import { announce } from "#ui/announce.ts";
import { Icon } from "./icon.tsx";

interface Props {
  text: string;
  /** What is copied, for assistive technology: "Copy the id". */
  label?: string;
}

export function CopyIconButton({ text, label = "Copy" }: Props) {
  const [outcome, setOutcome] = useState<"none" | "done" | "failed">("none");
  useEffect(() => {
    if (outcome === "none") return;
    const timer = setTimeout(() => setOutcome("none"), 1600);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    // Without https, and where permission is refused, there is no clipboard.
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(isDone ? "done" : "failed");
    announce(isDone ? "Copied" : "Not copied: select the text instead");
  };
  return (
    <button className="ib sm" type="button" aria-label={label} onClick={() => void copy()}>
      <Icon name={outcome === "done" ? "check" : "copy"} />
    </button>
  );
}
