import { type CSSProperties, memo, type ReactNode } from "react";
import { Link } from "react-router";
import { formatBytes, formatTook } from "../../format.ts";
import { Clock } from "../clock/clock.tsx";
import type { Axis } from "./axis.ts";
import type { Build, Step } from "./build-model.ts";
import { describeStep, shortLabel } from "./describe-step.ts";
import type { StepRow as Row } from "./layout-timeline.ts";
import type { Span } from "./span.ts";
import { Turn } from "./turn.tsx";

interface Props {
  row: Row;
  build: Build;
  axis: Axis;
  to: string;
  isCurrent: boolean;
  /** The last row of its platform. */
  isLast: boolean;
  /** How often the axis has grown: bars move to their new places once. */
  growth: number;
  /** Clocks stop at this time; milliseconds since 1970. */
  stoppedAt: number | undefined;
}

/** A link with a sentence; the bar is only visual. Few of hundreds of rows change with each message of the builder. */
export const StepRow = memo(DrawnRow, isSame);

function DrawnRow({ row, build, axis, to, isCurrent, isLast, growth, stoppedAt }: Props) {
  const { step, steps } = row;
  const classes = [
    "timeline-row",
    "timeline-step",
    LOOKS[step.state],
    row.isCommon && "common",
    isCurrent && "is-on",
    isLast && "last",
  ];
  return (
    <Link
      className={classes.filter(Boolean).join(" ")}
      to={to}
      preventScrollReset
      data-step={step.id}
      aria-current={isCurrent ? "true" : undefined}
    >
      <span>
        <span className="vh">{describeStep(row, build)}</span>
        {!row.isCommon && (
          <bdi className="step-number clip" aria-hidden="true">
            {shortLabel(steps.at(-1) ?? step)}
          </bdi>
        )}
        <span className="instruction clip" title={step.title} aria-hidden="true">
          {step.keyword && <b>{step.keyword} </b>}
          <bdi>{step.rest}</bdi>
          <Note step={step} more={steps.length - 1} />
        </span>
        {row.isFirstToRunAgain && (
          <span className="tag work" aria-hidden="true">
            first to run again
          </span>
        )}
      </span>
      <span className="track" aria-hidden="true">
        <Bars key={growth} isGrown={growth > 0}>
          {row.ghost && <i className="bar ghost" style={place(row.ghost, axis)} />}
          {row.span && (
            <i className={barClass(row)} style={place(row.span, axis, step.state === "running")} />
          )}
          {row.span && row.turn && (
            <Turn span={row.span} turn={row.turn} at={(time) => percent(time, axis)} end={axis.end} />
          )}
        </Bars>
      </span>
      <span aria-hidden="true">
        <StepTime step={step} steps={steps} stoppedAt={stoppedAt} />
      </span>
    </Link>
  );
}

/** Rows are recomputed each time; only the build's start matters for drawing. */
function isSame(before: Props, after: Props): boolean {
  return (
    before.to === after.to &&
    before.axis === after.axis &&
    before.growth === after.growth &&
    before.isCurrent === after.isCurrent &&
    before.isLast === after.isLast &&
    before.stoppedAt === after.stoppedAt &&
    before.build.startedAt === after.build.startedAt &&
    isSameRow(before.row, after.row)
  );
}

function isSameRow(before: Row, after: Row): boolean {
  return (
    before.steps.length === after.steps.length &&
    before.steps.every((step, index) => step === after.steps[index]) &&
    before.step === after.step &&
    before.isCritical === after.isCritical &&
    before.isFirstToRunAgain === after.isFirstToRunAgain &&
    before.isCommon === after.isCommon &&
    before.turn?.rows === after.turn?.rows &&
    before.turn?.groups === after.turn?.groups &&
    isSameSpan(before.span, after.span) &&
    isSameSpan(before.ghost, after.ghost)
  );
}

const isSameSpan = (before: Span | null, after: Span | null) =>
  before?.start === after?.start && before?.end === after?.end;

const LOOKS: Record<Step["state"], string> = {
  waiting: "is-wait",
  running: "is-work",
  cached: "",
  worked: "is-work",
  failed: "is-fail",
  canceled: "is-stop",
};

const BARS: Record<Step["state"], string> = {
  waiting: "",
  running: "running",
  cached: "",
  worked: "worked",
  failed: "failed",
  canceled: "none",
};

const barClass = ({ step, isCritical, turn }: Row) =>
  ["bar", BARS[step.state], isCritical && "critical", turn && "on"].filter(Boolean).join(" ");

function Note({ step, more }: { step: Step; more: number }) {
  const size = step.transferred > 0 ? formatBytes(step.transferred) : "";
  if (!size && more < 1) return null;
  return <span className="subtle"> {[size, more > 0 && `and ${more} more`].filter(Boolean).join(", ")}</span>;
}

interface TimeProps {
  step: Step;
  steps: readonly Step[];
  stoppedAt: number | undefined;
}

function StepTime({ step, steps, stoppedAt }: TimeProps) {
  if (step.state === "cached") return <span className="caps">CACHED</span>;
  if (step.state === "failed") return step.exitCode === null ? "failed" : `exit ${step.exitCode}`;
  if (step.state === "waiting" || step.state === "canceled") return step.state;
  if (step.state === "running")
    return <Clock startedAt={step.start ?? 0} {...(stoppedAt !== undefined && { stoppedAt })} />;
  return formatTook(steps.reduce((sum, { worked }) => sum + worked, 0));
}

/** When the axis grows, bars move to their new places together, by one transform. */
export function Bars({ isGrown, children }: { isGrown: boolean; children: ReactNode }) {
  return <span className={isGrown ? "timeline-bars grown" : "timeline-bars"}>{children}</span>;
}

export const percent = (time: number, { end }: Axis) => `${((time / end) * 100).toFixed(3)}%`;

/** A running bar ends at the end line, which moves without a new rendering. */
export function place(span: Span, axis: Axis, isRunning = false): CSSProperties {
  const start = percent(span.start, axis);
  const width = isRunning ? `calc(var(--now) - ${start})` : percent(span.end - span.start, axis);
  return { "--s": start, "--w": width } as CSSProperties;
}
