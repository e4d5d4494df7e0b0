import type { ReactNode } from "react";
import { type Tone, TONE_CLASSES } from "./chart/chart-frame.tsx";
import { cssVariables } from "./css-variables.ts";

interface Props {
  /** "Storage" */
  label: string;
  /** The parts of the used amount, in the order of the note. */
  parts: readonly number[];
  /** Absent: there is no limit. */
  limit?: number;
  tone: Tone;
  format: (value: number) => string;
  /** "layer caches 50.2, images 24.2" */
  note?: ReactNode;
}

/** The used part of a limit. */
export function Quota({ label, parts, limit, tone, format, note }: Props) {
  const used = parts.reduce((sum, part) => sum + part, 0);
  const most = limit === undefined ? "no limit" : `of ${format(limit)}`;
  const left = Math.max(0, (limit ?? used) - used);
  return (
    <div className="quota">
      <div className="row quota-header">
        <span className="text-xs muted">{label}</span>
        <span className="end number">
          <b>{format(used)}</b> <span className="subtle">{most}</span>
        </span>
      </div>
      <span className="channel" aria-hidden="true">
        {parts.map(
          (part, index) =>
            part > 0 && (
              <i key={index} className={TONE_CLASSES[tone]} style={cssVariables({ "--n": part })} />
            ),
        )}
        {(left > 0 || used === 0) && <i className="unfilled" style={cssVariables({ "--n": left || 1 })} />}
      </span>
      {note && <small className="text-2xs subtle">{note}</small>}
    </div>
  );
}

/** Two or three quotas in one frame. */
export function Quotas({ children }: { children: ReactNode }) {
  return <section className="quotas">{children}</section>;
}
