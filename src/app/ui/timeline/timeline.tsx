import { useMemo, useRef, useState } from "react";
import type { CSSProperties } from "react";
import type { Build, Step } from "./build-model.ts";
import { lastMomentOf, layoutTimeline } from "./layout-timeline.ts";
import { percent } from "./step-row.tsx";
import { TimelineAxis } from "./timeline-axis.tsx";
import { TimelineFoot } from "./timeline-foot.tsx";
import { TimelineRows } from "./timeline-rows.tsx";
import { useLiveAxis } from "./use-live-axis.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import "../../styles/timeline.css";

export interface TimelineProps {
  build: Build;
  /** Usual duration, milliseconds; null when unknown. */
  usual?: number | null;
  /** Another build, whose bars are drawn below. Its own page names it. */
  other?: { build: Build; name: string };
  /** The address that shows a step: `?step=19`. */
  addressOf: (step: Step) => string;
  currentId?: string;
  /** Called by J and K, while a step is current. */
  onCurrent?: (id: string) => void;
  /** The end line and all clocks stop: the connection is lost. Milliseconds since 1970. */
  stoppedAt?: number;
}

const ENDS = { running: "run", succeeded: "ok", failed: "bad", canceled: "stop" } as const;

/** The steps of a build on a time axis. */
export function Timeline({
  build,
  usual = null,
  other,
  addressOf,
  currentId,
  onCurrent,
  stoppedAt,
}: TimelineProps) {
  const root = useRef<HTMLElement>(null);
  const shownUsual = other ? null : usual;
  const shown = useShown({ build, other: other?.build, stoppedAt });
  const { layout, choose, isAllOpen, toggleAll, isCriticalOnly, toggleCritical } = shown;
  const live = useLiveAxis({ build, extent: layout.extent, usual: shownUsual, stoppedAt, root });
  useTimelineKeys({ root, currentId, onCurrent, toggleCritical, toggleAll });
  const { axis } = live;
  const style = {
    "--tick": percent(axis.ticks[1] ?? axis.end, axis),
    "--usual": percent(shownUsual ?? 0, axis),
  } as CSSProperties;
  return (
    <section
      className={other ? "timeline comparison" : "timeline"}
      ref={root}
      style={style}
      data-end={ENDS[build.result]}
      aria-label={
        other ? `Steps of the build beside those of ${other.name}` : "Steps of the build on a time axis"
      }
    >
      <div className="timeline-body">
        <TimelineAxis build={build} axis={axis} usual={shownUsual} stoppedAt={stoppedAt} />
        <TimelineRows
          rows={layout.rows}
          build={build}
          live={live}
          addressOf={addressOf}
          currentId={currentId}
          stoppedAt={stoppedAt}
          choose={choose}
        />
        <div className="timeline-now" aria-hidden="true">
          <i />
          {shownUsual !== null && shownUsual <= axis.end && <i className="usual" />}
        </div>
      </div>
      <TimelineFoot
        build={build}
        other={other}
        isAllOpen={isAllOpen}
        isCriticalOnly={isCriticalOnly}
        toggleAll={toggleAll}
        toggleCritical={toggleCritical}
      />
    </section>
  );
}

interface ShownInput {
  build: Build;
  other: Build | undefined;
  stoppedAt: number | undefined;
}

/** The visible rows, and the actions that change them. */
function useShown({ build, other, stoppedAt }: ShownInput) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [isAllOpen, setAllOpen] = useState(false);
  const [isCriticalOnly, setCriticalOnly] = useState(false);
  // Running steps are drawn up to the end line, wherever that is.
  const now = stoppedAt ?? lastMomentOf(build);
  const layout = useMemo(
    () => layoutTimeline({ build, now, other, choices, isAllOpen, isCriticalOnly }),
    [build, now, other, choices, isAllOpen, isCriticalOnly],
  );
  return {
    layout,
    isAllOpen,
    isCriticalOnly,
    choose: (platform: string, isOpen: boolean) =>
      setChoices((before) => new Map(before).set(platform, isOpen)),
    toggleAll: () => setAllOpen((is) => !is),
    toggleCritical: () => setCriticalOnly((is) => !is),
  };
}
