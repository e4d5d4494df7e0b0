import { formatTook } from "../../format.ts";
import type { Build } from "./build-model.ts";

interface Props {
  build: Build;
  other: { build: Build; name: string } | undefined;
  isAllOpen: boolean;
  isCriticalOnly: boolean;
  toggleAll: () => void;
  toggleCritical: () => void;
}

/** A colour legend, and what can be shown and hidden. */
export function TimelineFoot({ build, other, isAllOpen, isCriticalOnly, toggleAll, toggleCritical }: Props) {
  const has = (state: string) => build.steps.some((step) => step.state === state);
  return (
    <div className="timeline-foot">
      <span className="legend">
        <Key look="" label="Cached" />
        <Key look="worked" label="Worked" />
        {has("failed") && <Key look="failed" label="Failed" />}
        {has("waiting") && <Key look="queued" label="Waiting" />}
        {other && <Key look="ghost" label={`Same step in ${other.name}`} />}
        <Key look="critical" label="Critical path" />
      </span>
      {other && <span className="timeline-difference">{sayDifference(build, other)}</span>}
      <span className="end row gap16 narrow-hidden">
        <span>
          <kbd>J</kbd> <kbd>K</kbd> step
        </span>
        <button
          className="timeline-key"
          type="button"
          aria-pressed={isCriticalOnly}
          aria-keyshortcuts="P"
          onClick={toggleCritical}
        >
          <kbd>P</kbd> critical path only
        </button>
        <button
          className="timeline-key"
          type="button"
          aria-pressed={isAllOpen}
          aria-keyshortcuts="E"
          onClick={toggleAll}
        >
          <kbd>E</kbd> open all
        </button>
      </span>
    </div>
  );
}

/** "25.3s faster than bld_v6n2hk8s4d"; empty while either build is running. */
function sayDifference(build: Build, { build: other, name }: { build: Build; name: string }): string {
  if (build.endedAt === null || other.endedAt === null) return "";
  const more = build.endedAt - build.startedAt - (other.endedAt - other.startedAt);
  // The difference is shown with one decimal.
  if (Math.abs(more) < 100) return `as fast as ${name}`;
  return `${formatTook(Math.abs(more))} ${more < 0 ? "faster" : "slower"} than ${name}`;
}

function Key({ look, label }: { look: string; label: string }) {
  return (
    <span>
      <i className={`key ${look}`.trim()} />
      <bdi>{label}</bdi>
    </span>
  );
}
