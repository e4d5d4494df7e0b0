import type { ReactNode } from "react";
import { formatBytes, formatTook, plural } from "../../format.ts";
import { Clock } from "../../ui/clock/clock.tsx";
import { sayUsual } from "../../ui/clock/format-tick.ts";
import type { Build as Model, Step } from "../../ui/timeline/build-model.ts";
import { findCriticalPath } from "#platform/text/critical-path.ts";
import { lastMomentOf } from "../../ui/timeline/layout-timeline.ts";
import { CompareChoice } from "./compare-choice.tsx";
import { isOver, timeOf, tookOf } from "./build-words.ts";
import type { View } from "./view.ts";

/** A line of figures, each with its comparison. */
export function BuildStrip({ view, withCompare = false }: { view: View; withCompare?: boolean }) {
  const { build } = view;
  const saved = Number(build.saved_ms);
  const sent = Number(build.context_bytes);
  const ended = isOver(build);
  return (
    <dl className="strip">
      <Elapsed view={view} />
      <Item
        label="Steps"
        note={build.steps_cached > 0 && `${build.steps_cached} cached`}
        title="Steps of the Dockerfile that are done"
      >
        {build.steps_total === 0
          ? "–"
          : ended && build.steps_done >= build.steps_total
            ? build.steps_total
            : `${build.steps_done} of ${build.steps_total}`}
      </Item>
      <CriticalPath view={view} />
      <Item
        label={ended ? "Saved by the cache" : "Saved so far"}
        note="against a cold build"
        title="The sum of the last measured durations of the steps that came from the cache"
      >
        {saved > 0 || build.started_at ? formatTook(saved) : "–"}
      </Item>
      <Item label="Context" note={plural(Math.max(build.platforms.length, 1), "platform")}>
        {sent > 0 ? `${formatBytes(sent)} sent` : "–"}
      </Item>
      {withCompare && (
        <div>
          <dt>Compared with</dt>
          <dd>
            <CompareChoice view={view} />
          </dd>
        </div>
      )}
    </dl>
  );
}

interface ItemProps {
  label: string;
  note?: ReactNode;
  title?: string;
  children: ReactNode;
}

function Item({ label, note, title, children }: ItemProps) {
  return (
    <div title={title}>
      <dt>{label}</dt>
      <dd>
        {children}
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}

function Elapsed({ view: { build, stoppedAt } }: { view: View }) {
  const took = tookOf(build);
  const start = timeOf(build.started_at);
  const usual = Number(build.usual_ms);
  const isRunning = took === null && start !== null && !isOver(build);
  return (
    <Item label={isOver(build) ? "Total" : "Elapsed"} note={usual > 0 && `usual ${sayUsual(usual)}`}>
      <span className="strip-time">
        {isRunning ? (
          <Clock startedAt={start} {...(stoppedAt !== undefined && { stoppedAt })} />
        ) : took === null ? (
          "–"
        ) : (
          formatTook(took)
        )}
      </span>
    </Item>
  );
}

const STEPS_NAMED = 2;
/** Share of the longest step: shorter steps do not decide the time. */
const LEAST_SHARE = 0.1;

/** The path's longest steps, which decide the time. */
function CriticalPath({ view: { model } }: { view: View }) {
  const steps = longestOf(model);
  const [platform] = steps.flatMap((step) => step.platform ?? []);
  return (
    <Item
      label="Critical path"
      note={platform?.replace(/^linux\//, "")}
      title="What decides how long it takes"
    >
      <bdi className="clip">{steps.map(nameOf).join(", ") || "–"}</bdi>
    </Item>
  );
}

function longestOf(model: Model): Step[] {
  const byId = new Map(model.steps.map((step) => [step.id, step]));
  const path = findCriticalPath(model.steps, lastMomentOf(model)).flatMap((id) => byId.get(id) ?? []);
  const own = path.filter(({ place }) => place !== null);
  const longest = own.toSorted((one, other) => lasted(other) - lasted(one)).slice(0, STEPS_NAMED);
  const least = Math.max(0, ...path.map(({ worked }) => worked)) * LEAST_SHARE;
  return own.filter((step) => longest.includes(step) && lasted(step) >= least);
}

const lasted = ({ worked, state }: Step) => (state === "running" ? Number.MAX_SAFE_INTEGER : worked);

/** "pnpm build": without the program's own flags. */
const nameOf = ({ keyword, rest }: Step) =>
  keyword === "RUN"
    ? rest
        .replace(/^--\S+ /, "")
        .split(" ")
        .slice(0, 2)
        .join(" ")
    : `${keyword} ${rest}`.trim();
