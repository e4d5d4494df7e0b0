import type { ReactNode } from "react";
import { cssVariables } from "./css-variables.ts";

export interface Figure {
  label: string;
  figure: ReactNode;
  /** A sentence with a comparison. */
  note?: ReactNode;
}

/** Two to four figures in one frame. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures" style={cssVariables({ "--figs": figures.length })}>
      {figures.map(({ label, figure, note }) => (
        <div className="figure" key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{figure}</b> {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
