import type { CSSProperties } from "react";
import { Link } from "react-router";

interface Row {
  key: string;
  label: string;
  to: string;
  values: readonly number[];
}

interface Props {
  rows: readonly Row[];
  format: (value: number) => string;
}

/** Small multiples: a row of bars each, all to one scale, with the sum and its share. */
export function ProjectBars({ rows, format }: Props) {
  const highest = Math.max(1, ...rows.flatMap(({ values }) => values));
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const total = sums.reduce((sum, value) => sum + value, 0);
  return (
    <ul className="panel mults">
      {rows.map(({ key, label, to, values }, index) => (
        <li className="mult" key={key}>
          <Link className="strong xs clip" to={to}>
            {label}
          </Link>
          <span className="bars" style={variable("--count", values.length)} aria-hidden="true">
            {values.map((value, place) => (
              <span key={place}>
                {value > 0 && <i className="g" style={variable("--h", `${(value / highest) * 100}%`)} />}
              </span>
            ))}
          </span>
          <span className="num">{format(sums[index] ?? 0)}</span>
          <span className="num subtle">
            {total > 0 ? `${Math.round(((sums[index] ?? 0) / total) * 100)} %` : "–"}
          </span>
        </li>
      ))}
    </ul>
  );
}

const variable = (name: string, value: string | number) => ({ [name]: value }) as CSSProperties;
