import { useEffect, useState } from "react";
import { announce } from "#ui/announce.ts";
import { Icon } from "../../ui/icon.tsx";

export const projectFile = (projectId: string) => `{ "project": "${projectId}" }\n`;

/** The content of a repository's `millrace.json`. */
export function CopyProjectFile({ projectId }: { projectId: string }) {
  const [outcome, setOutcome] = useState<"none" | "done" | "failed">("none");
  useEffect(() => {
    if (outcome === "none") return;
    const timer = setTimeout(() => setOutcome("none"), 1600);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    const isDone = await navigator.clipboard?.writeText(projectFile(projectId)).then(
      () => true,
      () => false,
    );
    setOutcome(isDone ? "done" : "failed");
    announce(isDone ? "Copied millrace.json" : "Not copied: the file is under Use it here");
  };
  return (
    <button
      className="btn"
      type="button"
      aria-label="Copy millrace.json"
      title={projectFile(projectId)}
      onClick={() => void copy()}
    >
      <Icon name={outcome === "done" ? "check" : "copy"} />
      millrace.json
    </button>
  );
}
