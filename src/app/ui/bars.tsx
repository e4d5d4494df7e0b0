import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatAxis } from "../format.ts";
import { ChartFrame, type Tone, TONE_CLASSES } from "./chart/chart-frame.tsx";
import { labelStep, type Scale, scaleFor } from "./chart/chart-scale.ts";
import { cssVariables } from "./css-variables.ts";

export interface Bar {
  /** Under the bar: "07", "9 Nov". */
  label: string;
  /** Stacked, lowest first; one value for each series. */
  values: readonly number[];
}

interface Props {
  /** What the chart shows: "API calls, by day". */
  label: string;
  series: readonly { label: string; tone: Tone }[];
  bars: readonly Bar[];
  format: (value: number) => string;
  /** On the axis, shorter: "40k", "15m". */
  formatLine?: (value: number) => string;
}

const MAX_LABELS = 12;

/** Bars on a zero line; the figures in a tip that arrow keys move, and as a table. */
export function Bars({ label, series, bars, format, formatLine = formatAxis }: Props) {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const scale = scaleFor(sums);
  const hasSum = series.length > 1;
  return (
    <ChartFrame
      label={label}
      series={series}
      head={["When", ...series.map((each) => each.label), ...(hasSum ? ["All"] : [])]}
      rows={bars.map((bar, index) => ({
        key: `${index}`,
        cells: [bar.label, ...bar.values.map(format), ...(hasSum ? [format(sums[index] ?? 0)] : [])],
      }))}
    >
      <Plot {...{ label, series, bars, format, formatLine, scale }} />
    </ChartFrame>
  );
}

function Plot({ label, series, bars, format, formatLine, scale }: Required<Props> & { scale: Scale }) {
  const [at, setAt] = useState<number | null>(null);
  const shown = at === null ? undefined : bars[at];
  const last = bars.length - 1;
  const move = (event: KeyboardEvent) => {
    const next = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[
      event.key
    ];
    if (event.key === "Escape" && at !== null) setAt(null);
    else if (next !== undefined) setAt(Math.min(last, Math.max(0, next)));
    else return;
    event.preventDefault();
  };
  const step = labelStep(bars.length, MAX_LABELS);
  return (
    <div
      className="plot"
      // A value is chosen by arrow keys and said in words.
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={at ?? 0}
      aria-valuetext={sentenceOf(shown ?? bars[0], series, format)}
      onKeyDown={move}
      onPointerMove={(event) => setAt(indexUnder(event, bars.length))}
      onPointerDown={(event) => setAt(indexUnder(event, bars.length))}
      onPointerLeave={() => setAt(null)}
      onBlur={() => setAt(null)}
    >
      <div className="bars with-y" style={cssVariables({ "--count": bars.length })} aria-hidden="true">
        <div className="bars-y">
          {scale.lines.map((line) => (
            <b key={line} style={cssVariables({ "--y": percent(line, scale.top) })}>
              <span>{formatLine(line)}</span>
            </b>
          ))}
        </div>
        {bars.map((bar, index) => (
          <Column
            key={index}
            bar={bar}
            series={series}
            top={scale.top}
            isMarked={index === at}
            hasLabel={index % step === 0}
          />
        ))}
        {shown && at !== null && <Tip {...{ bar: shown, series, format }} place={(at + 0.5) / bars.length} />}
      </div>
    </div>
  );
}

interface ColumnProps {
  bar: Bar;
  series: Props["series"];
  top: number;
  isMarked: boolean;
  hasLabel: boolean;
}

function Column({ bar, series, top, isMarked, hasLabel }: ColumnProps) {
  return (
    <span className={isMarked ? "on" : undefined}>
      {bar.values.map(
        (value, index) =>
          value > 0 && (
            <i
              key={index}
              className={TONE_CLASSES[series[index]?.tone ?? "plain"]}
              style={cssVariables({ "--h": percent(value, top) })}
            />
          ),
      )}
      {hasLabel && <span className="at">{bar.label}</span>}
    </span>
  );
}

interface TipProps {
  bar: Bar;
  series: Props["series"];
  format: (value: number) => string;
  /** From 0 to 1. */
  place: number;
}

function Tip({ bar, series, format, place }: TipProps) {
  return (
    <div className={place > 0.5 ? "tip tip-left" : "tip"} style={cssVariables({ "--x": percent(place, 1) })}>
      <b>{bar.label}</b>
      {series.map((each, index) => (
        <span className="tip-row" key={each.label}>
          <i className={`key ${TONE_CLASSES[each.tone]}`} />
          {each.label} <span className="num end">{format(bar.values[index] ?? 0)}</span>
        </span>
      ))}
    </div>
  );
}

const percent = (part: number, whole: number) => `${Math.round((part / whole) * 1000) / 10}%`;

/** "9 Nov: Got one 41, Refused 2" */
function sentenceOf(bar: Bar | undefined, series: Props["series"], format: (value: number) => string) {
  if (!bar) return "nothing";
  return `${bar.label}: ${series.map((each, index) => `${each.label} ${format(bar.values[index] ?? 0)}`).join(", ")}`;
}

function indexUnder(event: PointerEvent<HTMLElement>, count: number): number | null {
  const box = event.currentTarget.querySelector(".bars")?.getBoundingClientRect();
  if (!box || box.width === 0) return null;
  const index = Math.floor(((event.clientX - box.left) / box.width) * count);
  return index >= 0 && index < count ? index : null;
}
