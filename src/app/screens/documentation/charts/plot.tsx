import { useEffect, useEffectEvent, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatCount } from "../../../format.ts";
import type { Series } from "./series.ts";

interface Props {
  /** Milliseconds since 1970, ascending. */
  times: number[];
  series: Series[];
  height: number;
  timeLabel: (at: number) => string;
  /** Interval between two points, in milliseconds; the axis has no finer marks. */
  step: number;
  /** The point under the pointer, null when it leaves. */
  onPoint: (index: number | null) => void;
}

/** The canvas. A table has the same figures, so it is hidden from assistive technology. */
export function Plot({ times, series, height, timeLabel, step, onPoint }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const point = useEffectEvent(onPoint);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const options = plotOptions(element, { series, height, timeLabel, step }, (index) => point(index));
      const data = [times.map((at) => at / 1000), ...series.map((each) => each.values)] as uPlot.AlignedData;
      plot = new uPlot(options, data, element);
    };
    draw();
    // Text drawn before the font has loaded would stay in the fallback font.
    void document.fonts.ready.then(() => plot && draw());
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    // Canvases do not follow CSS, so another theme means drawing again.
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    addEventListener("themechange", draw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener("change", draw);
      removeEventListener("themechange", draw);
      plot?.destroy();
      plot = undefined;
    };
  }, [times, series, height, timeLabel, step]);

  return <div className="doc-plot" ref={frame} style={{ height }} aria-hidden="true" />;
}

type Look = Pick<Props, "series" | "height" | "timeLabel" | "step">;

function plotOptions(element: HTMLElement, look: Look, onPoint: Props["onPoint"]): uPlot.Options {
  const colour = resolver(element);
  const text = colour("--color-fg-subtle");
  const isSingle = look.series.every((each) => each.values.length === 1);
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  // Keeps bars at both ends whole, and gives a single point an axis.
  const margin = isSingle || look.series.some((each) => each.kind === "bars") ? look.step / 1600 : 0;
  const grid = { stroke: colour("--color-border"), width: 1 };
  return {
    width: element.clientWidth,
    height: look.height,
    padding: [8, 28, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { range: (_plot, min, max) => [min - margin, max + margin] },
      y: { range: (_plot, _min, max) => [0, niceTop(max)] },
    },
    axes: [
      {
        stroke: text,
        font,
        grid: { show: false },
        ticks: { show: false },
        size: 26,
        gap: 6,
        space: 72,
        incrs: [1, 2, 4, 6, 12, 24, 48, 120, 240, 600].map((count) => (count * look.step) / 1000),
        values: (_plot, splits) => splits.map((second) => look.timeLabel(second * 1000)),
      },
      {
        stroke: text,
        font,
        grid,
        ticks: { show: false },
        size: 44,
        space: look.height < 150 ? 22 : 36,
        // Counts are whole: a small chart has no line at 0.5.
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6],
        values: (_plot, splits) => splits.map(formatCount),
      },
    ],
    series: [{}, ...look.series.map((each) => seriesOptions(each, colour, isSingle))],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  };
}

/** @param isSingle there is one point: a line alone would show nothing */
function seriesOptions(each: Series, colour: (token: string) => string, isSingle: boolean): uPlot.Series {
  const stroke = colour(each.colour);
  const isBars = each.kind === "bars";
  const bars = uPlot.paths.bars?.({ size: [0.7, 24] });
  return {
    label: each.label,
    stroke,
    width: isBars ? 0 : 2,
    points: { show: isSingle && !isBars, size: 9, fill: stroke },
    ...(isBars && bars ? { paths: bars, fill: stroke } : {}),
    ...(each.isFilled
      ? { fill: stroke.replace(")", " / 0.12)").replace(/,/g, "").replace("rgb ", "rgb(") }
      : {}),
  };
}

/** Tokens are `light-dark()` pairs, which only a computed colour resolves. */
function resolver(element: HTMLElement): (token: string) => string {
  return (token) => {
    const former = element.style.color;
    element.style.color = `var(${token})`;
    const value = getComputedStyle(element).color;
    element.style.color = former;
    return value;
  };
}

/** At least 4, so that a day with one view is not a full chart. */
function niceTop(max: number): number {
  return Math.max(4, max * 1.08);
}
