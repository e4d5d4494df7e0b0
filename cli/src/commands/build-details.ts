/** `builds show`: one build with its steps, the steps that determined its duration, and why its first step was not cached. */
import { type Build, BuildSchema, type Step } from "../client.ts";
import { CliError } from "../errors.ts";
import { messageRecord } from "../output.ts";
import { type Invocation, openSession, type Session } from "../session.ts";
import { formatPairs, formatTable } from "../table.ts";
import { cleanJson, cleanText } from "../text.ts";
import { formatCached, formatStart, formatTime, formatTook } from "./builds.ts";

const SHORT_COMMIT = 7;

export async function showBuild(call: Invocation): Promise<void> {
  const [buildId = ""] = call.positionals;
  const { terminal, flags } = call;
  const session = await openSession(call);
  const { build } = await session.api.builds.getBuild({ buildId });
  if (!build) throw new CliError("the server sent no build");
  if (flags.text("--output") === "json")
    return terminal.out(`${cleanJson(messageRecord(BuildSchema, build))}\n`);
  const frame = { width: terminal.width, heading: terminal.bold };
  // BuildKit reports steps as they end; readers expect the Dockerfile's order.
  const steps = build.steps.toSorted((one, other) => numberOf(one) - numberOf(other));
  const reason = await explainFirst(session, build.id, steps);
  const pairs = [...describe(build), ...(reason === "" ? [] : [["Not cached", reason] as const])];
  terminal.out(
    formatPairs(
      pairs.map(([label, value]) => [label, cleanText(value)] as const),
      frame,
    ),
  );
  if (steps.length === 0) return;
  const headings = ["STEP", "STATE", "TOOK", "SAVED", "NAME"];
  const isCritical = new Set(build.criticalPath);
  const rows = steps.map((step) => rowOf(step, isCritical.has(step.id)).map(cleanText));
  terminal.out(`\n${formatTable(headings, rows, frame)}`);
  if (isCritical.size > 0) terminal.out("\n* determined how long the build took\n");
}

function describe(build: Build): (readonly [string, string])[] {
  const { commitSha, branch, regression, failure, error } = build;
  const pairs: (readonly [string, string])[] = [
    ["Build", build.id],
    ["State", error === "" ? build.state : `${build.state}: ${error}`],
    ["Waits for", build.state === "queued" ? build.waitsFor : ""],
    ["Project", build.project === "" ? build.projectId : `${build.project} (${build.projectId})`],
    ["Title", build.labels["title"] ?? ""],
    ["Commit", [branch, commitSha.slice(0, SHORT_COMMIT)].filter((part) => part !== "").join(" ")],
    ["By", build.createdBy],
    ["Platforms", build.platforms.join(", ")],
    ["Started", formatStart(build)],
    [
      "Took",
      formatTook(build) + (build.usualMs > 0n ? ` (usually ${formatTime(Number(build.usualMs))})` : ""),
    ],
    [
      "Cached",
      formatCached(build) + (build.savedMs > 0n ? `, which saved ${formatTime(Number(build.savedMs))}` : ""),
    ],
    ["Slower", regression ? describeRegression(regression) : ""],
    ["Failed before", failure ? describeFailure(failure) : ""],
    ["Image", build.image],
    ["Digest", build.digest],
    ...build.warnings.map(
      ({ message, file, line }) =>
        ["Warning", file === "" ? message : `${message} (${file}:${line})`] as const,
    ),
  ];
  return pairs.filter(([, value]) => value !== "");
}

function describeRegression({
  percent,
  comparedBuilds,
  stepName,
  sinceCommit,
}: NonNullable<Build["regression"]>): string {
  const since = sinceCommit === "" ? "" : `, since ${sinceCommit.slice(0, SHORT_COMMIT)}`;
  return `${percent} % slower than the last ${comparedBuilds}${stepName === "" ? "" : `: ${stepName}`}${since}`;
}

/** Earlier failures of the step that failed. */
function describeFailure({
  comparedBuilds,
  failedBuilds,
  lastFailedBuildId,
}: NonNullable<Build["failure"]>): string {
  if (failedBuilds === 0)
    return `never: this is the first failure of the step in ${comparedBuilds} ${comparedBuilds === 1 ? "build" : "builds"}`;
  if (comparedBuilds === 1) return `the same step in ${lastFailedBuildId}`;
  return `the same step in ${failedBuilds} of the ${comparedBuilds} previous builds, last in ${lastFailedBuildId}`;
}

/** 8 for `#8`. A step that has not begun has no number, and comes last. */
const numberOf = ({ number }: Step): number => Number(number.slice(1)) || Number.MAX_SAFE_INTEGER;

function rowOf(step: Step, isCritical: boolean): string[] {
  const { cached, durationMs, savedMs, state } = step;
  return [
    `${step.number}${isCritical ? " *" : ""}`,
    cached ? "CACHED" : state,
    cached || durationMs === 0n ? "-" : formatTime(Number(durationMs)),
    savedMs > 0n ? formatTime(Number(savedMs)) : "-",
    step.name,
  ];
}

/** Why the first step of the Dockerfile that ran was not cached; "" if all came from the cache. */
async function explainFirst({ api }: Session, buildId: string, steps: readonly Step[]): Promise<string> {
  const ran = steps.find(
    ({ cached, name, state }) =>
      !cached && /^(?:succeeded|failed)$/.test(state) && /^\[[^\]]*\d+\/\d+\]/.test(name),
  );
  if (!ran) return "";
  // The command works without the explanation.
  const { summary } = await api.builds
    .explainStep({ buildId, stepId: ran.id })
    .catch(() => ({ summary: "" }));
  return summary === "" ? "" : `${ran.number}: ${summary}`;
}
