import { useEffect, useState } from "react";
import { announce } from "#ui/announce.ts";
import { Icon } from "./icon.tsx";

export function CopyButton({ text }: { text: string }) {
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
  const label = { none: "Copy", done: "Copied", failed: "Select it instead" }[outcome];
  return (
    <button className="btn btn-line btn-sm" type="button" onClick={() => void copy()}>
      <Icon name={outcome === "done" ? "check" : "copy"} />
      {label}
    </button>
  );
}
