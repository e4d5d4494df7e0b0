import { type ReactNode, useEffect, useState } from "react";
import { announce } from "#ui/announce.ts";
import { Icon } from "./icon.tsx";

interface Props {
  text: string;
  /** For assistive technology: "Copy the id". */
  label?: string;
  /** Words next to the icon. */
  children?: ReactNode;
  onCopied?: () => void;
  /** Called when there is no clipboard. */
  onRefused?: () => void;
}

const SHOWN_MS = 1600;
const ICONS = { none: "copy", done: "check", failed: "circleAlert" } as const;
const REFUSED = "Not copied: select the text instead";

export function CopyIconButton({ text, label = "Copy", children, onCopied, onRefused }: Props) {
  const [outcome, setOutcome] = useState<"none" | "done" | "failed">("none");
  useEffect(() => {
    if (outcome === "none") return;
    const timer = setTimeout(() => setOutcome("none"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    // Without https, or without permission, there is no clipboard.
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(isDone ? "done" : "failed");
    announce(isDone ? "Copied" : REFUSED);
    (isDone ? onCopied : onRefused)?.();
  };
  return (
    <button
      className={children ? "btn" : "icon-button small"}
      type="button"
      aria-label={label}
      title={outcome === "failed" ? REFUSED : undefined}
      onClick={() => void copy()}
    >
      <Icon name={ICONS[outcome]} />
      {children}
    </button>
  );
}
