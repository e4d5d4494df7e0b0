import type { ReactNode } from "react";
import { formatPart } from "../format.ts";
import { ChartFrame, type Tone, TONE_CLASSES } from "./chart/chart-frame.tsx";
import { cssVariables } from "./css-variables.ts";

export interface Multiple {
  key: string;
  /** A name, or a link with it. */
  label: ReactNode;
  values: readonly number[];
  /** By default the sum of the values: for levels the last of them. */
  figure?: number;
}

interface Props {
  /** "Machine minutes by project, a bar is a day" */
  label: string;
  tone: Tone;
  rows: readonly Multiple[];
  format: (value: number) => string;
}

/** A row of bars for each, all on one scale: label, bars, figure, share of all. */
export function Multiples({ label, tone, rows, format }: Props) {
  const highest = Math.max(0, ...rows.flatMap(({ values }) => values)) || 1;
  const figures = rows.map(({ values, figure }) => figure ?? values.reduce((sum, value) => sum + value, 0));
  const total = figures.reduce((sum, value) => sum + value, 0);
  const facts = rows.map((row, index) => ({
    ...row,
    text: format(figures[index] ?? 0),
    share: formatPart(figures[index] ?? 0, total),
  }));
  return (
    <ChartFrame
      label={label}
      series={[{ label, tone }]}
      head={["Name", "Figure", "Share"]}
      rows={facts.map(({ key, label: name, text, share }) => ({ key, cells: [name, text, share] }))}
    >
      <ul className="multiples">
        {facts.map(({ key, label: name, values, text, share }) => (
          <li className="multiple" key={key}>
            <span className="strong text-xs clip">{name}</span>
            <span className="bars" style={cssVariables({ "--count": values.length })} aria-hidden="true">
              {values.map((value, index) => (
                <span key={index}>{value > 0 && <BarOf {...{ value, highest, tone }} />}</span>
              ))}
            </span>
            <span className="number">{text}</span>
            <span className="number subtle">{share}</span>
          </li>
        ))}
      </ul>
    </ChartFrame>
  );
}

function BarOf({ value, highest, tone }: { value: number; highest: number; tone: Tone }) {
  return <i className={TONE_CLASSES[tone]} style={cssVariables({ "--h": `${(value / highest) * 100}%` })} />;
}

interface SparkProps {
  values: readonly number[];
  tone?: Tone;
}

/** The shape of some days, next to a figure that says the same. */
export function Spark({ values, tone = "plain" }: SparkProps) {
  const highest = Math.max(0, ...values) || 1;
  return (
    <span className={`spark ${TONE_CLASSES[tone]}`} aria-hidden="true">
      {values.map((value, index) => (
        <i key={index} style={cssVariables({ "--h": `${(value / highest) * 100}%` })} />
      ))}
    </span>
  );
}
