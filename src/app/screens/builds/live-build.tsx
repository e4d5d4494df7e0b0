import { Suspense } from "react";
import { Tabs, type Tab } from "../../ui/tabs.tsx";
import { BuildFailure } from "./build-failure.tsx";
import { BuildInputs } from "./build-inputs.tsx";
import { BuildLog } from "./build-log.tsx";
import { BuildStrip } from "./build-strip.tsx";
import { BuildTimeline } from "./build-timeline.tsx";
import { BuildImage, BuildWarnings } from "./late-parts.ts";
import { SlowerBuild } from "./slower-build.tsx";
import { StepPanel } from "./step-panel.tsx";
import type { View } from "./view.ts";

type TabName = "inputs" | "step" | "image" | "warnings";

/** A build that is running, or did not succeed: timeline, log and details together. */
export function LiveBuild({ view }: { view: View }) {
  const { build, current } = view;
  const tabs: Tab<TabName>[] = [
    { value: "inputs", label: "Inputs" },
    { value: "step", label: "Step" },
    { value: "image", label: "Image" },
    ...(build.warnings.length > 0
      ? [{ value: "warnings", label: "Warnings", count: build.warnings.length } satisfies Tab<TabName>]
      : []),
  ];
  const shown = tabs.find(({ value }) => value === view.tab)?.value ?? (current ? "step" : "inputs");
  return (
    <>
      {build.state === "failed" ? <BuildFailure view={view} /> : <BuildStrip view={view} withCompare />}
      <SlowerBuild build={build} />
      <BuildTimeline view={view} />
      <div className="build-low">
        <BuildLog view={view} />
        <aside className="inspector" aria-label="Details">
          <Tabs label="Details" tabs={tabs} value={shown} onChange={view.setTab} className="inspector-body">
            {shown === "inputs" && <BuildInputs build={build} />}
            {shown === "step" && <StepPanel view={view} />}
            <Suspense fallback={null}>
              {shown === "image" && <BuildImage build={build} />}
              {shown === "warnings" && <BuildWarnings build={build} />}
            </Suspense>
          </Tabs>
        </aside>
      </div>
    </>
  );
}
