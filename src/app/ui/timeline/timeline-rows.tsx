import type { Build, Step } from "./build-model.ts";
import type { TimelineRow } from "./layout-timeline.ts";
import { PlatformLane } from "./platform-lane.tsx";
import { StepRow } from "./step-row.tsx";
import type { LiveAxis } from "./use-live-axis.ts";

interface Props {
  rows: readonly TimelineRow[];
  build: Build;
  live: LiveAxis;
  addressOf: (step: Step) => string;
  currentId: string | undefined;
  stoppedAt: number | undefined;
  choose: (platform: string, isOpen: boolean) => void;
}

export function TimelineRows({ rows, build, live, addressOf, currentId, stoppedAt, choose }: Props) {
  const { axis, growth } = live;
  const shared = { build, axis, growth, stoppedAt };
  return (
    <ul className="timeline-list">
      {rows.map((row, index) => (
        <li key={`${row.kind} ${row.key}`}>
          {row.kind === "step" ? (
            <StepRow
              {...shared}
              row={row}
              to={addressOf(row.step)}
              isCurrent={row.steps.some(({ id }) => id === currentId)}
              isLast={endsGroup(rows, index)}
            />
          ) : (
            <PlatformLane {...shared} row={row} onToggle={() => choose(row.platform, !row.isOpen)} />
          )}
        </li>
      ))}
    </ul>
  );
}

const endsGroup = (rows: readonly TimelineRow[], index: number) => {
  const row = rows[index];
  return row?.kind === "step" && !row.isCommon && rows[index + 1]?.kind !== "step";
};
