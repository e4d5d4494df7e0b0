import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatAxis } from "../format.ts";
import { ChartFrame, type Series, TONE_CLASSES } from "./chart/chart-frame.tsx";
import { labelStep, type Scale, scaleFor } from "./chart/chart-scale.ts";
import { cssVariables } from "./css-variables.ts";

export interface Bar {
  /** Label under the bar: "07", "9 Nov". */
  label: string;
  /** Stacked, lowest first; one value for each series. */
  values: readonly number[];
}

interface Props {
  /** The chart's title: "API calls, by day". */
  label: string;
  series: readonly Series[];
  bars: readonly Bar[];
  format: (value: number) => string;
  /** For the axis, shorter: "40k", "15m". */
  formatLine?: (value: number) => string;
  /** The unit that makes the axis round: 60_000 for milliseconds that are shown as minutes. */
  axisUnit?: number;
}

/** Minimum width of the bars in pixels, of a wide chart (as in charts.css) and of a narrow one; a letter of the mono font; the space between labels. */
const WIDE_PX = 520;
const NARROW_PX = 270;
const LETTER_PX = 7;
const BETWEEN_PX = 10;

/** Bars on a zero line; the figures are in a tooltip that arrow keys move, and in a table. */
export function Bars({ label, series, bars, format, formatLine = formatAxis, axisUnit = 1 }: Props) {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const { top, lines } = scaleFor(sums.map((sum) => sum / axisUnit));
  const scale = { top: top * axisUnit, lines: lines.map((line) => line * axisUnit) };
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

interface PlotProps extends Omit<Required<Props>, "axisUnit"> {
  scale: Scale;
}

function Plot({ label, series, bars, format, formatLine, scale }: PlotProps) {
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
  const steps = labelSteps(bars);
  return (
    <div
      className="plot"
      // A value is chosen by arrow keys and announced in words.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input has no bars in it
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
      <div
        className="bars with-axis"
        style={cssVariables({ "--count": bars.length, "--gap": gapOf(bars.length) })}
        aria-hidden="true"
      >
        <div className="bars-axis">
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
            labelClass={index % steps.wide ? null : index % steps.narrow ? "at wide-only" : "at"}
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
  /** Null: there is no room for the label. */
  labelClass: string | null;
}

function Column({ bar, series, top, isMarked, labelClass }: ColumnProps) {
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
      {labelClass !== null && <span className={labelClass}>{bar.label}</span>}
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
          {each.label} <span className="number end">{format(bar.values[index] ?? 0)}</span>
        </span>
      ))}
    </div>
  );
}

function labelSteps(bars: readonly Bar[]) {
  const width = Math.max(1, ...bars.map(({ label }) => label.length)) * LETTER_PX + BETWEEN_PX;
  const wide = labelStep(bars.length, Math.max(1, Math.floor(WIDE_PX / width)));
  const narrow = labelStep(bars.length, Math.max(1, Math.floor(NARROW_PX / width)));
  // Labels of a narrow chart are a subset of a wide one's.
  return { wide, narrow: Math.ceil(narrow / wide) * wide };
}

const gapOf = (count: number) => (count > 100 ? "0px" : count > 40 ? "1px" : "3px");
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
