import type { ReactNode } from "react";

export interface Figure {
  label: string;
  figure: ReactNode;
  /** One sentence that compares. */
  note?: ReactNode;
}

/** Two to four figures in one frame. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figs">
      {figures.map(({ label, figure, note }) => (
        <div className="fig" key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{figure}</b> {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
