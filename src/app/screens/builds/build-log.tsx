import { useMemo } from "react";
import { Failure } from "../../ui/failure.tsx";
import { LogView } from "../../ui/log/log-view.tsx";
import { labelOf } from "../../ui/timeline/build-model.ts";
import { isOver } from "./build-words.ts";
import type { View } from "./view.ts";

export function BuildLog({ view }: { view: View }) {
  const { build, model, log, version, isLogWhole, logError, current, stoppedAt } = view;
  // The builder names steps from the last one on; readers want the order in which they began.
  const steps = useMemo(() => model.steps.toSorted((one, other) => one.number - other.number), [model.steps]);
  if (logError) return <Failure what="The log" error={logError} />;
  const label = current ? [labelOf(current), current.platform].filter(Boolean).join(", ") : "";
  return (
    <LogView
      log={log}
      version={version}
      steps={steps}
      isLive={!isOver(build) && !isLogWhole}
      label={label || "All steps"}
      fileName={`${build.id}.log`}
      {...(stoppedAt !== undefined && { stoppedAt })}
    />
  );
}
