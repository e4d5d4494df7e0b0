/**
 * The build race: two recorded builds, one channel for each step. The hatched bar is the step in the first build, whose cache was
 * empty; the solid bar is the same step after one line had changed. Positions are percent of the first build.
 *
 *   first ──▨▨▨▨────────────────   0s ▌ cached
 *         ────────▨▨▨▨▨▨▨───────      ▉▉ built
 */
import { convergePaths } from "../flow-field.ts";
import type { RecordedBuilds } from "./recorded-builds.ts";
import type { Home } from "./schema.ts";

const PITCH = 68;
/** The first channel's distance from the drawing's top, and the drawing's height. */
const FIRST_CHANNEL = 80;
const HEIGHT = 464;

export interface PlacedLane {
  name: string;
  isCached: boolean;
  seconds: number;
  coldLeft: number;
  coldWidth: number;
  left: number;
  width: number;
}

/** Every step where and as long as it ran. */
export function placeLanes({ cold, lanes }: Pick<RecordedBuilds, "cold" | "lanes">): PlacedLane[] {
  const percent = (seconds: number) => Math.round((seconds / cold.seconds) * 100_000) / 1000;
  return lanes.map((lane) => ({
    name: lane.name,
    isCached: lane.warm.isCached,
    seconds: lane.warm.seconds,
    coldLeft: percent(lane.cold.start),
    coldWidth: percent(lane.cold.seconds),
    left: percent(lane.warm.start),
    width: percent(lane.warm.seconds),
  }));
}

/** "5m 24s", "24s", "4.1s". */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10}s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}m ${whole % 60}s`;
}

function inWords(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const whole = Math.round(seconds);
  return [[Math.floor(whole / 60), "minute"] as const, [whole % 60, "second"] as const]
    .filter(([count]) => count !== 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" ");
}

const dateOf = (recorded: string) =>
  new Date(recorded).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });

interface BuildRaceProps {
  words: Home["race"];
  builds: RecordedBuilds;
}

export function BuildRace({ words, builds }: BuildRaceProps) {
  const { cold, warm, source, cpus } = builds;
  const placed = placeLanes(builds);
  const cached = placed.filter(({ isCached }) => isCached).length;
  const note = `Measured, not drawn: ${words.subject} of ${source} on ${cpus} shared CPUs, ${dateOf(builds.recorded)}`;
  const label = `${note}. The first build, ${cold.id}, takes ${inWords(cold.seconds)}. After one line has changed, ${cached} of ${placed.length} steps come from the cache, and build ${warm.id} takes ${inWords(warm.seconds)}.`;
  const minutes = Array.from({ length: Math.floor(cold.seconds / 60) + 1 }, (_, minute) => minute);
  return (
    <figure className="race flowing">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of HTML parts, read out as one sentence */}
      <div role="img" aria-label={label}>
        <Inlet lanes={placed.length} />
        <div className="race-board">
          <div className="race-axis">
            {minutes.map((minute) => (
              <span key={minute} style={{ left: `${((minute * 60) / cold.seconds) * 100}%` }}>
                {minute}m
              </span>
            ))}
          </div>
          <div className="lanes">
            {placed.map((lane, index) => (
              <Lane key={lane.name} lane={lane} index={index} />
            ))}
          </div>
          <div className="race-ends">
            <div className="race-end" style={{ left: `${(warm.seconds / cold.seconds) * 100}%` }}>
              <span>
                <b>{formatSeconds(warm.seconds)}</b> {words.warm}
              </span>
            </div>
            <div className="race-end is-cold" style={{ left: "100%" }}>
              <span>
                <b>{formatSeconds(cold.seconds)}</b> {words.cold}
              </span>
            </div>
          </div>
        </div>
      </div>
      <figcaption className="wrap race-key">
        <span className="key key-cached">Cached layer</span>
        <span className="key key-work">Layer built</span>
        <span className="key key-ghost">{words.ghost}</span>
        <span className="race-note">{note}</span>
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

function Lane({ lane, index }: { lane: PlacedLane; index: number }) {
  const kind = lane.isCached ? "is-cached" : "is-work";
  return (
    <div className="lane" style={{ "--i": index } as React.CSSProperties}>
      <p className="lane-label">
        <span className="lane-name">{lane.name}</span>
        <span className={`lane-time ${kind}`}>{lane.isCached ? "CACHED" : formatSeconds(lane.seconds)}</span>
      </p>
      <div className="lane-ch">
        <span className="lane-water">
          <i style={foamStyle(index * 0.9, 4.4)} />
          <i style={foamStyle(index * 1.3 + 1.6, 5.6)} />
        </span>
        <span className="lane-ghost" style={{ left: `${lane.coldLeft}%`, width: `${lane.coldWidth}%` }} />
        <span className={`lane-bar ${kind}`} style={{ left: `${lane.left}%`, width: `${lane.width}%` }} />
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
