/**
 * The build race: one channel for each step. The hatched bar is the step without a cache, at its time; the solid bar is
 * the same step on Millrace. Positions are percent of the whole cold build.
 *
 *   cold start ──▨▨▨▨────────────────   0s ▌ cached
 *              ────────▨▨▨▨▨▨▨───────      ▉▉ built
 */
import { convergePaths } from "../flow-field.ts";
import type { Home } from "./schema.ts";

type Race = Home["race"];
type Step = Race["steps"][number];

const PITCH = 68;
/** The first channel's distance from the drawing's top, and the drawing's height. */
const FIRST_CHANNEL = 80;
const HEIGHT = 464;

export interface PlacedStep extends Step {
  coldLeft: number;
  coldWidth: number;
  left: number;
  width: number;
}

/** Cold steps run one after the other; on Millrace only those that are not cached take time. */
export function placeSteps(steps: Step[]): { placed: PlacedStep[]; coldTotal: number; total: number } {
  const coldTotal = steps.reduce((sum, step) => sum + step.coldSeconds, 0);
  const total = steps.reduce((sum, step) => sum + step.seconds, 0);
  const percent = (seconds: number) => Math.round((seconds / coldTotal) * 100_000) / 1000;
  let cold = 0;
  let now = 0;
  const placed = steps.map((step) => {
    const result = {
      ...step,
      coldLeft: percent(cold),
      coldWidth: percent(step.coldSeconds),
      left: percent(now),
      width: percent(step.seconds),
    };
    cold += step.coldSeconds;
    now += step.seconds;
    return result;
  });
  return { placed, coldTotal, total };
}

/** "5m 24s", "24s". */
export function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m ${seconds % 60}s`;
}

const inWords = (seconds: number) =>
  [
    [Math.floor(seconds / 60), "minute"],
    [seconds % 60, "second"],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" ");

export function BuildRace({ race }: { race: Race }) {
  const { placed, coldTotal, total } = placeSteps(race.steps);
  const cached = placed.filter((step) => step.isCached).length;
  const label = `${race.note}. A build of ${race.subject} without a cache takes ${inWords(coldTotal)}. On Millrace ${cached} of ${placed.length} steps come from the cache and the build takes ${inWords(total)}.`;
  const minutes = Array.from({ length: Math.floor(coldTotal / 60) + 1 }, (_, minute) => minute);
  return (
    <figure className="race flowing">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of HTML parts, read out as one sentence */}
      <div role="img" aria-label={label}>
        <Inlet lanes={placed.length} />
        <div className="race-board">
          <div className="race-axis">
            {minutes.map((minute) => (
              <span key={minute} style={{ left: `${((minute * 60) / coldTotal) * 100}%` }}>
                {minute}m
              </span>
            ))}
          </div>
          <div className="lanes">
            {placed.map((step, index) => (
              <Lane key={step.name} step={step} index={index} />
            ))}
          </div>
          <div className="race-ends">
            <div className="race-end" style={{ left: `${(total / coldTotal) * 100}%` }}>
              <span>
                <b>{formatSeconds(total)}</b> on Millrace
              </span>
            </div>
            <div className="race-end is-cold" style={{ left: "100%" }}>
              <span>
                <b>{formatSeconds(coldTotal)}</b> cold
              </span>
            </div>
          </div>
        </div>
      </div>
      <figcaption className="wrap race-key">
        <span className="key key-cached">Cached layer</span>
        <span className="key key-work">Layer built</span>
        <span className="key key-ghost">{race.cold}</span>
        <span className="race-note">{race.note}</span>
        <PauseButton />
      </figcaption>
    </figure>
  );
}

function Inlet({ lanes }: { lanes: number }) {
  const paths = convergePaths({
    width: 440,
    height: HEIGHT,
    lanes: Array.from({ length: lanes }, (_, lane) => FIRST_CHANNEL + lane * PITCH),
    linesPerLane: 6,
  });
  return (
    <svg className="race-in" viewBox={`0 0 440 ${HEIGHT}`} preserveAspectRatio="none">
      <g className="streams">
        {paths.map((d) => (
          <path key={d} d={d} vectorEffect="non-scaling-stroke" />
        ))}
      </g>
      <g className="foam">
        {paths.map((d, index) =>
          index % 3 === 1 ? (
            <path
              key={d}
              d={d}
              pathLength={1000}
              vectorEffect="non-scaling-stroke"
              style={foamStyle(((index * 0.73) / 3) % 3.6, 2.6 + ((index * 0.5) % 1.5))}
            />
          ) : null,
        )}
      </g>
    </svg>
  );
}

/** Custom properties are not part of React's style type. */
function foamStyle(delay: number, duration: number) {
  return { "--d": delay.toFixed(2), "--t": `${duration.toFixed(1)}s` } as React.CSSProperties;
}

function Lane({ step, index }: { step: PlacedStep; index: number }) {
  const kind = step.isCached ? "is-cached" : "is-work";
  return (
    <div className="lane" style={{ "--i": index } as React.CSSProperties}>
      <p className="lane-label">
        <span className="lane-name">{step.name}</span>
        <span className={`lane-time ${kind}`}>{step.isCached ? "CACHED" : formatSeconds(step.seconds)}</span>
      </p>
      <div className="lane-ch">
        <span className="lane-water">
          <i style={foamStyle(index * 0.9, 4.4)} />
          <i style={foamStyle(index * 1.3 + 1.6, 5.6)} />
        </span>
        <span className="lane-ghost" style={{ left: `${step.coldLeft}%`, width: `${step.coldWidth}%` }} />
        <span className={`lane-bar ${kind}`} style={{ left: `${step.left}%`, width: `${step.width}%` }} />
      </div>
    </div>
  );
}

/** WCAG 2.2.2: readers can stop motion that lasts longer than five seconds. Without a script, no motion lasts that long. */
function PauseButton() {
  return (
    <button className="icon-btn race-pause js-only" type="button" aria-label="Pause animation" data-pause>
      <svg
        className="icon"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden="true"
      >
        <path className="when-playing" d="M6 3h3v18H6zM15 3h3v18h-3z" />
        <path className="when-paused" d="M5 4.5v15l14-7.5z" />
      </svg>
    </button>
  );
}
