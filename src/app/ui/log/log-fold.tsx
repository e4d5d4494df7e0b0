import { plural, formatTook } from "../../format.ts";
import { Clock } from "../clock/clock.tsx";
import { Icon } from "../icon.tsx";
import type { LogStep, Section } from "./log-sections.ts";

interface Props {
  section: Section;
  /** Clocks stop at this time; milliseconds since 1970. */
  stoppedAt: number | undefined;
}

/** The head of a step: a fold with its count and its time. The log handles its clicks. */
export function LogFold({ section, stoppedAt }: Props) {
  const [step] = section.steps;
  if (!step) return null;
  const content = section.steps.length > 1 ? <CachedSteps steps={section.steps} /> : <Title step={step} />;
  const end = <End section={section} step={step} stoppedAt={stoppedAt} />;
  if (section.lines === 0)
    return (
      <div className="log-fold">
        <span className="log-fold-gap" />
        {content}
        {end}
      </div>
    );
  return (
    <button
      className={section.isOpen ? "log-fold open" : "log-fold"}
      type="button"
      aria-expanded={section.isOpen}
      data-fold={section.key}
    >
      <Icon name={section.isOpen ? "chevronDown" : "chevronRight"} />
      {content}
      {end}
    </button>
  );
}

function Title({ step }: { step: LogStep }) {
  return (
    <span className="clip" title={step.title}>
      {step.state === "cached" && <span className="caps">CACHED </span>}#{step.number} <bdi>{step.title}</bdi>
    </span>
  );
}

/** "#5 – #9 base, deps" */
function CachedSteps({ steps }: { steps: readonly LogStep[] }) {
  const stages = [...new Set(steps.map(({ stage }) => stage))].filter(Boolean);
  return (
    <span className="clip">
      <span className="caps">CACHED</span> #{steps[0]?.number} – #{steps.at(-1)?.number}{" "}
      <bdi>{stages.slice(0, 8).join(", ")}</bdi>, {plural(steps.length, "step")}
    </span>
  );
}

function End({ section, step, stoppedAt }: Props & { step: LogStep }) {
  const time = section.steps.reduce((sum, { worked }) => sum + worked, 0);
  return (
    <span className="end">
      {!section.isOpen && section.lines > 0 && <span>{plural(section.lines, "line")}</span>}
      <span>
        {step.state === "running" ? (
          <Clock startedAt={step.start ?? 0} {...(stoppedAt !== undefined && { stoppedAt })} />
        ) : (
          formatTook(time)
        )}
      </span>
      {step.state === "failed" && <span>{step.exitCode === null ? "failed" : `exit ${step.exitCode}`}</span>}
      {step.state === "canceled" && <span>canceled</span>}
    </span>
  );
}
