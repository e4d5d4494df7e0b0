import { Clock } from "../clock/clock.tsx";
import { formatTook } from "../../format.ts";
import { Icon } from "../icon.tsx";
import type { Axis } from "./axis.ts";
import type { Build } from "./build-model.ts";
import { describePlatform } from "./describe-step.ts";
import type { PlatformRow } from "./layout-timeline.ts";
import type { LaneBar } from "./pack-lanes.ts";
import { Bars, place } from "./step-row.tsx";

interface Props {
  row: PlatformRow;
  build: Build;
  axis: Axis;
  growth: number;
  stoppedAt: number | undefined;
  onToggle: () => void;
}

/** One platform: a head when it is open, otherwise a lane. */
export function PlatformLane({ row, build, axis, growth, stoppedAt, onToggle }: Props) {
  const { span } = row;
  return (
    <div className="timeline-row timeline-group">
      <button className="timeline-fold" type="button" aria-expanded={row.isOpen} onClick={onToggle}>
        <Icon name={row.isOpen ? "chevronDown" : "chevronRight"} />
        <span className="mono">{row.platform}</span>
        <span className="subtle text-xs clip">{describePlatform(row, build)}</span>
        {row.decidesTime && <span className="tag work">decides the time</span>}
      </button>
      <span className="track" aria-hidden="true">
        {!row.isOpen && (
          <Bars key={growth} isGrown={growth > 0}>
            {row.ghost && <i className="bar ghost" style={place(row.ghost, axis)} />}
            {row.lanes.map((lane, index) =>
              lane.map((bar) => (
                <i
                  key={`${index} ${bar.start} ${bar.look}`}
                  className={`bar ${LOOKS[bar.look]} ${row.lanes.length > 1 ? (index === 0 ? "up" : "down") : ""}`}
                  style={place(bar, axis, bar.look === "running")}
                />
              )),
            )}
          </Bars>
        )}
      </span>
      <span className="number">
        {span && row.isRunning ? (
          <Clock startedAt={build.startedAt + span.start} {...(stoppedAt !== undefined && { stoppedAt })} />
        ) : (
          span && formatTook(span.end - span.start)
        )}
      </span>
    </div>
  );
}

const LOOKS: Record<LaneBar["look"], string> = {
  cached: "",
  worked: "worked",
  failed: "failed",
  running: "running",
};
