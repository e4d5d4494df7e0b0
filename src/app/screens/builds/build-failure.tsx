import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import type { Build } from "#api/gen/json-types.ts";
import { cutText, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { stripAnsi } from "../../ui/log/ansi.ts";
import type { LogLine } from "../../ui/log/log-lines.ts";
import { Status } from "../../ui/status.tsx";
import { labelOf, type Step } from "../../ui/timeline/build-model.ts";
import { siblingsQuery } from "./build-queries.ts";
import { shortSha } from "./build-words.ts";
import { FailedLines } from "./failed-lines.tsx";
import type { View } from "./view.ts";

const LINES_SHOWN = 3;
/** Includes lines that repeat the builder's own message. */
const LAST_LINES_READ = 30;
/** Includes BuildKit's lines of the Dockerfile. */
const MAX_ERROR_LINES = 14;
const MAX_LINE = 400;
const MAX_LABEL = 60;

/** The error with its line, before everything else. */
export function BuildFailure({ view }: { view: View }) {
  const { build, model } = view;
  const step = model.steps.find(({ state }) => state === "failed");
  const error = (build.error || step?.error || "It failed without an error message.")
    .split("\n", MAX_ERROR_LINES)
    .map(stripAnsi);
  const lines = step ? linesOf(view, step) : [];
  const [first] = lines;
  const text = [...lines.map(({ text: line }) => stripAnsi(line)), ...error].join("\n");
  return (
    <section className="panel build-failure" role="alert">
      <div className="panel-header">
        <Status state="failed" isShape />
        <h2 className="text-fail">{step ? describeStep(step) : "The build failed"}</h2>
        <bdi className="mono text-xs muted narrow-hidden clip">
          {step && `${step.keyword} ${step.rest}`.trim()}
        </bdi>
        <span className="end row">
          {first && (
            <Link className="btn" to={`#L${first.number}`} preventScrollReset>
              <Icon name="arrowDown" />
              Line {first.number}
            </Link>
          )}
          <CopyIconButton text={text} label="Copy error">
            Copy error
          </CopyIconButton>
        </span>
      </div>
      <div className={step ? "code" : "code is-text"}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it sideways */}
        <pre tabIndex={0}>
          <code>
            {lines.map((line) => (
              <b key={line.number} className={line.isError ? "text-fail" : "is-plain"}>
                {stripAnsi(line.text.slice(0, MAX_LINE))}
                {"\n"}
              </b>
            ))}
            {error.map((line) => line.slice(0, MAX_LINE)).join("\n")}
          </code>
        </pre>
      </div>
      <FailedLines build={build} />
      <div className="build-last text-xs muted">
        {step && <FailedBefore build={build} />}
        <LastSuccess build={build} />
      </div>
    </section>
  );
}

const describeStep = (step: Step) => {
  const name = cutText(labelOf(step), MAX_LABEL) || "A step";
  return step.exitCode === null ? `${name} failed` : `${name} exited with code ${step.exitCode}`;
};

/**
 * The first lines that explain the failure: later ones are often consequences. Without such lines, the last ones of the
 * output. The builder's own message stands below.
 */
function linesOf({ log, isLogWhole }: View, step: Step): LogLine[] {
  const own = new Set(step.error.split("\n"));
  const count = log.countOf(step.id);
  const lineAt = (index: number) => {
    const line = log.line(log.positionOf(step.id, index));
    return line && !own.has(line.text) ? line : undefined;
  };
  const found: LogLine[] = [];
  for (let index = 0; index < count && found.length < LINES_SHOWN; index++) {
    const line = lineAt(index);
    if (line?.isError) found.push(line);
  }
  if (found.length > 0 || !isLogWhole) return found;
  const last = Array.from({ length: Math.min(count, LAST_LINES_READ) }, (_, index) =>
    lineAt(count - 1 - index),
  );
  return last
    .filter((line) => line !== undefined)
    .slice(0, LINES_SHOWN)
    .toReversed();
}

/** Whether this step failed in earlier builds. */
function FailedBefore({ build: { failure } }: { build: Build }) {
  const { name } = useOrganization();
  if (!failure || failure.compared_builds === 0) return null;
  const { compared_builds: compared, failed_builds: failed, last_failed_build_id: last } = failure;
  const builds = plural(compared, "build");
  if (failed === 0) return <p>First failure of this step in {builds}.</p>;
  return (
    <p>
      {compared === 1
        ? "This step failed before, in"
        : `This step failed in ${failed} of the ${builds} before it, last in`}{" "}
      <Link className="link mono" to={addressOf(name, `builds/${last}`)}>
        {last}
      </Link>
      .
    </p>
  );
}

/** Keeps its space while the list is read. */
function LastSuccess({ build }: { build: Build }) {
  const { name } = useOrganization();
  const { data } = useQuery(siblingsQuery(name, build));
  const at = data?.findIndex(({ id }) => id === build.id) ?? -1;
  const last = data?.slice(Math.max(at, 0)).find(({ state }) => state === "succeeded");
  const where = build.branch ? "on this branch" : "of this project";
  return (
    <p>
      {last && (
        <>
          Last success {where}:{" "}
          <Link className="link mono" to={addressOf(name, `builds/${last.id}`)}>
            {last.id}
          </Link>
          , <Ago at={last.created_at} />
          {last.commit_sha && (
            <>
              , commit <bdi className="mono">{shortSha(last.commit_sha)}</bdi>
            </>
          )}
          .{" "}
          <Link className="link" to={`?against=${last.id}`} preventScrollReset>
            Compare
          </Link>
        </>
      )}
      {data && !last && `No build ${where} succeeded before it.`}
      {!data && "\u00a0"}
    </p>
  );
}
