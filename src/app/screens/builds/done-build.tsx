import { Suspense } from "react";
import { Tabs, type Tab } from "../../ui/tabs.tsx";
import { firstToRunAgain } from "../../ui/timeline/compare-builds.ts";
import { BuildInputs } from "./build-inputs.tsx";
import { BuildLog } from "./build-log.tsx";
import { BuildStrip } from "./build-strip.tsx";
import { BuildTimeline } from "./build-timeline.tsx";
import { CompareChoice } from "./compare-choice.tsx";
import { AttestationTable, BuildImage, BuildWarnings } from "./late-parts.ts";
import { SlowerBuild } from "./slower-build.tsx";
import { StepPanel } from "./step-panel.tsx";
import type { View } from "./view.ts";

type TabName = "timeline" | "log" | "inputs" | "attestations" | "warnings";

/** A build that succeeded: where its time went, what was reused, and its result. */
export function DoneBuild({ view }: { view: View }) {
  const { build, log, isLogWhole } = view;
  const tabs: Tab<TabName>[] = [
    { value: "timeline", label: "Timeline" },
    { value: "log", label: "Log", count: isLogWhole ? log.count + log.dropped : Number(build.log_lines) },
    { value: "inputs", label: "Inputs" },
    { value: "attestations", label: "Attestations", count: build.attestations.length },
    ...(build.warnings.length > 0
      ? [{ value: "warnings", label: "Warnings", count: build.warnings.length } satisfies Tab<TabName>]
      : []),
  ];
  const shown = tabs.find(({ value }) => value === view.tab)?.value ?? "timeline";
  return (
    <>
      <BuildStrip view={view} />
      <SlowerBuild build={build} />
      <div className="build-tabs">
        <Tabs
          label="Parts of the build"
          tabs={tabs}
          value={shown}
          onChange={(value) => view.setTab(value === "timeline" ? "" : value)}
          className="build-tab"
        >
          {shown === "timeline" && <TimelineTab view={view} />}
          {shown === "log" && (
            <div className="build-log">
              <BuildLog view={view} />
            </div>
          )}
          {shown === "inputs" && (
            <div className="panel panel-body section">
              <BuildInputs build={build} />
            </div>
          )}
          <Suspense fallback={null}>
            {shown === "attestations" && <AttestationTable build={build} />}
            {shown === "warnings" && (
              <div className="panel panel-body section">
                <BuildWarnings build={build} />
              </div>
            )}
          </Suspense>
        </Tabs>
      </div>
    </>
  );
}

function TimelineTab({ view }: { view: View }) {
  const { model, current } = view;
  const first = firstToRunAgain(model);
  const step = current ?? model.steps.find(({ id }) => id === first);
  return (
    <>
      <div className="row text-xs muted build-against">
        Compared with <CompareChoice view={view} />
      </div>
      <BuildTimeline view={view} />
      <div className="grid2">
        <section className="panel panel-body section" aria-label="Step">
          <StepPanel view={step ? { ...view, current: step } : view} />
        </section>
        <section className="panel panel-body section" aria-label="Image">
          <Suspense fallback={null}>
            <BuildImage build={view.build} />
          </Suspense>
        </section>
      </div>
    </>
  );
}
