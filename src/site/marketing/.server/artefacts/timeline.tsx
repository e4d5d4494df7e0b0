/**
 * Work against time: the steps of a build, the jobs of a workflow. Screen readers read all bars as one sentence, the label.
 *
 *     step              0s        10s        20s ▌24.1s
 *     RUN npm ci        ▌                                 CACHED
 *     RUN npm run build ▐███████████████╮      |          18.6s
 *     export                            ╰▐██   |           3.9s
 */
import type { CSSProperties } from "react";
import { Inline } from "../inline.tsx";
import type { ArtefactOf } from "../artefact-schema.ts";
import { Legend, Shot } from "./shot.tsx";

type TimelineData = ArtefactOf<"timeline">;
type Row = TimelineData["groups"][number]["rows"][number];

export function Timeline({ title, state, note, label, span, tick, end, groups, keys }: TimelineData) {
  const percent = (seconds: number) => `${Math.round((seconds / span) * 10_000) / 100}%`;
  const ticks = Array.from({ length: Math.ceil(span / tick) }, (_, index) => index * tick);
  return (
    <Shot title={title} state={state} note={note}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of HTML parts, read out as one sentence */}
      <div className="tl" role="img" aria-label={label} style={{ "--tick": percent(tick) } as CSSProperties}>
        <div className="tl-axis">
          {ticks.map((seconds) => (
            <span key={seconds} style={{ left: percent(seconds) }}>
              {seconds}s
            </span>
          ))}
        </div>
        {groups.map((group) => (
          <div key={group.name} className="tl-group">
            <p className="tl-name">
              <strong>{group.name}</strong> {group.note}
            </p>
            {group.rows.map((row, index) => (
              <TimelineRow
                key={row.line}
                row={row}
                percent={percent}
                isAfterWork={group.rows[index - 1]?.kind === "work"}
              />
            ))}
          </div>
        ))}
        <div className="tl-end">
          <span style={{ left: percent(end) }}>
            <b>{end}s</b>
          </span>
        </div>
      </div>
      <Legend keys={keys} />
    </Shot>
  );
}

interface TimelineRowProps {
  row: Row;
  percent: (seconds: number) => string;
  /** The rail turns into a step that had to wait for the one above it. */
  isAfterWork: boolean;
}

function TimelineRow({ row, percent, isAfterWork }: TimelineRowProps) {
  const { stage, line, kind, start, seconds, waits, cold } = row;
  return (
    <div className={row.isCritical ? `tl-row is-${kind} is-critical` : `tl-row is-${kind}`}>
      <span className="tl-stage">{stage}</span>
      <span className="tl-line">
        <Inline text={line} />
      </span>
      <span className="tl-ch">
        {cold && (
          <i className="tl-cold" style={{ left: percent(cold.start), width: percent(cold.seconds) }} />
        )}
        {waits && <i className="tl-wait" style={{ left: percent(start - waits), width: percent(waits) }} />}
        <i className="tl-bar" style={{ left: percent(start), width: percent(seconds) }} />
        {row.isCritical && isAfterWork && <i className="tl-elbow" style={{ left: percent(start) }} />}
      </span>
      <span className="tl-time">{kind === "cached" ? "CACHED" : `${seconds.toFixed(1)}s`}</span>
    </div>
  );
}
