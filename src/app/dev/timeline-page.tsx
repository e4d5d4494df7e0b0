import { useEffect, useState, useSyncExternalStore } from "react";
import { useAddress, withParams } from "../data/address.ts";
import { Lane } from "../ui/lane/lane.tsx";
import { StepsChannel } from "../ui/channel/channel.tsx";
import { LogView } from "../ui/log/log-view.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { type Build, labelOf } from "../ui/timeline/build-model.ts";
import type { BuildStore } from "../ui/timeline/build-store.ts";
import { channelOf } from "../ui/timeline/channel-of.ts";
import { Timeline } from "../ui/timeline/timeline.tsx";
import { hostile } from "./hostile-build.ts";
import { manySteps } from "./many-steps.ts";
import { prepare, readTo, type Recording } from "./player.ts";
import { failed, fromBuilder, running, succeeded } from "./recordings.ts";

/** Start of the builds that are shown at a fixed moment. */
const START = 1_795_271_497_000;

interface Choice {
  value: string;
  label: string;
  recording: Recording;
  /** The fixed moment, in milliseconds since the build's start. */
  at: number;
  usual?: number;
  other?: Recording;
}

const CHOICES: readonly Choice[] = [
  { value: "running", label: "Running", recording: running, at: 33_400, usual: 52_000 },
  { value: "succeeded", label: "Compared", recording: succeeded, at: 60_000, usual: 52_000, other: running },
  { value: "failed", label: "Failed", recording: failed, at: 60_000 },
  { value: "hostile", label: "Hostile", recording: hostile, at: 5_000 },
  { value: "many", label: "500 steps", recording: manySteps, at: 60_000, usual: 110_000 },
  ...fromBuilder.map((recording, index) => ({
    value: `recorded${index}`,
    label: `Recorded ${index + 1}`,
    recording,
    at: 60_000,
  })),
];

/** `?build=running&play=10`: the same events drive timeline, channel, lane and log. */
export function TimelinePage() {
  const { params, change } = useAddress();
  const choice = CHOICES.find(({ value }) => value === params.get("build")) ?? CHOICES[0];
  const speed = Number(params.get("play") ?? 0);
  if (!choice) return null;
  return (
    <>
      <h1>Timeline</h1>
      <div className="row gap12 wrap">
        <Segmented
          label="Build"
          options={CHOICES}
          value={choice.value}
          onChange={(build) => change({ build, play: null, step: null })}
        />
        <Segmented
          label="Time"
          options={[
            { value: "0", label: "Stands still" },
            { value: "1", label: "As recorded" },
            { value: "10", label: "Ten times as fast" },
          ]}
          value={String(speed)}
          onChange={(play) => change({ play: play === "0" ? null : play })}
        />
      </div>
      <BuildParts key={`${choice.value} ${speed}`} choice={choice} speed={speed} />
    </>
  );
}

function BuildParts({ choice, speed }: { choice: Choice; speed: number }) {
  const [{ store, run }] = useState(() =>
    speed > 0
      ? prepare(choice.recording, speed)
      : { store: readTo(choice.recording, choice.at, START), run: () => undefined },
  );
  useEffect(() => run(), [run]);
  return <ShownBuild store={store} choice={choice} speed={speed} />;
}

interface ShownProps {
  store: BuildStore;
  choice: Choice;
  speed: number;
}

function ShownBuild({ store, choice, speed }: ShownProps) {
  const { params, change } = useAddress();
  const { build, log, version } = useSyncExternalStore(store.watch, store.read);
  const [other] = useState(() => choice.other && readWhole(choice.other));
  const current = build.steps.find(({ number }) => String(number) === params.get("step"));
  const still = speed > 0 ? {} : { stoppedAt: START + choice.at };
  const usual = choice.usual ? choice.usual / (speed || 1) : null;
  return (
    <>
      <p className="row gap12">
        <StepsChannel steps={channelOf(build)} />
        <span>{build.result}</span>
      </p>
      {build.result === "running" && (
        <div className="lanes">
          <Lane to="." icon="container" name="web" startedAt={build.startedAt} usual={usual} {...still} />
        </div>
      )}
      <Timeline
        build={build}
        usual={usual}
        {...(other && { other: { build: other, name: choice.other?.id ?? "" } })}
        addressOf={(step) => withParams(params, { step: String(step.number) })}
        {...(current && { currentId: current.id })}
        onCurrent={(id) => change({ step: String(build.steps.find((step) => step.id === id)?.number ?? "") })}
        {...still}
      />
      <LogView
        log={log}
        version={version}
        steps={build.steps}
        isLive={build.result === "running"}
        label={current ? labelOf(current) : "All steps"}
        fileName={`${choice.recording.id}.log`}
        {...still}
      />
    </>
  );
}

function readWhole(recording: Recording): Build {
  const store = readTo(recording, Number.POSITIVE_INFINITY, START);
  return store.read().build;
}
