import { useAddress, withParams } from "../../data/address.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Timeline } from "../../ui/timeline/timeline.tsx";
import { describeWait } from "./build-words.ts";
import type { View } from "./view.ts";

/** The steps on a time axis; before there are any, what the build waits for. */
export function BuildTimeline({ view }: { view: View }) {
  const { build, model, other, current, stoppedAt } = view;
  const { params, change } = useAddress();
  const usual = Number(build.usual_ms);
  if (model.steps.length === 0) return <NoSteps view={view} />;
  return (
    <Timeline
      // The axis covers both builds.
      key={other?.name ?? ""}
      build={model}
      usual={usual > 0 ? usual : null}
      addressOf={({ number }) => withParams(params, { step: String(number) }) || "."}
      onCurrent={(id) => change({ step: String(model.steps.find((step) => step.id === id)?.number ?? "") })}
      {...(other && { other })}
      {...(current && { currentId: current.id })}
      {...(stoppedAt !== undefined && { stoppedAt })}
    />
  );
}

const WHY = new Map([
  ["client", "It is registered and starts when its client sends the first files."],
  ["builder", "Its project's builder is starting."],
  ["place", "Its builder already runs as many builds as it can. This build starts when one of them ends."],
]);

function NoSteps({ view: { build } }: { view: View }) {
  if (build.state === "queued")
    return (
      <EmptyState icon="clock" title={<span className="build-wait">{describeWait(build)}</span>}>
        <p>{WHY.get(build.waits_for) ?? WHY.get("builder")}</p>
      </EmptyState>
    );
  return (
    <EmptyState icon="container" title="No step has started">
      <p>
        {build.state === "running"
          ? "Its builder is ready. The first step appears here by itself."
          : "It ended before the builder received its instructions."}
      </p>
    </EmptyState>
  );
}
