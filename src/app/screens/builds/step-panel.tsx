import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { StepCause } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText, formatTook, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import type { Step } from "../../ui/timeline/build-model.ts";
import { explainQuery } from "./build-queries.ts";
import type { View } from "./view.ts";

/** The chosen step: what it did, and why it was not cached. */
export function StepPanel({ view }: { view: View }) {
  const { current, log, stepById } = view;
  if (!current)
    return <p className="text-xs muted">Choose a step of the timeline to see what it did, and why.</p>;
  const lines = log.countOf(current.id);
  const first = log.positionOf(current.id, 0) + 1;
  const saved = Number(stepById(current.id)?.saved_ms ?? 0);
  return (
    <>
      <h2>{TITLES[current.state] ?? "Why was this step not cached?"}</h2>
      <p className="mono text-xs build-step">
        <bdi>{cutText(current.title, 300)}</bdi>
      </p>
      {current.state === "cached" ? (
        <p className="text-xs muted">
          It was taken from the layer cache
          {saved > 0 ? `. When it last ran it took ${formatTook(saved)}.` : "."}
        </p>
      ) : (
        ASKED.has(current.state) && <Why view={view} step={current} />
      )}
      {lines > 0 && (
        <p className="text-xs">
          <Link className="link" to={`?step=${current.number}#L${first}`} preventScrollReset>
            {plural(lines, "line")} of its log
          </Link>
        </p>
      )}
    </>
  );
}

const TITLES: { [State in Step["state"]]?: string } = {
  cached: "From the cache",
  waiting: "Waits for the steps before it",
  canceled: "Stopped before it finished",
};
const ASKED: ReadonlySet<string> = new Set(["worked", "failed", "running"]);

function Why({ view, step }: { view: View; step: Step }) {
  const { name } = useOrganization();
  const { data, error, refetch } = useQuery(explainQuery(name, view.build.id, step.id));
  if (error && !data) return <Failure what="The reason" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="the reason" rows={2} />;
  const { summary, causes, compared_build_id: compared } = data;
  return (
    <>
      <p className="text-xs muted">
        <bdi>
          {cutText(summary, 600)
            .split("`")
            .map((part, index) =>
              // oxlint-disable-next-line react/no-array-index-key -- parts of one sentence
              index % 2 === 0 ? part : <code key={index}>{part}</code>,
            )}
        </bdi>
      </p>
      {causes.length > 0 && <Causes causes={causes} />}
      {compared && (
        <p className="text-xs muted">
          Compared with{" "}
          <Link className="link mono" to={addressOf(name, `builds/${compared}`)}>
            {compared}
          </Link>
          .{" "}
          <Link className="link" to={`?step=${step.number}&against=${compared}`} preventScrollReset>
            Compare the times
          </Link>
        </p>
      )}
      <p className="text-xs">
        <a className="link" href="/docs/container-builds/troubleshooting/cache-misses">
          How steps come from the cache
        </a>
      </p>
    </>
  );
}

const KINDS = new Map<string, string>([
  ["file", "File"],
  ["argument", "Argument"],
  ["instruction", "Instruction"],
  ["base", "Base image"],
  ["lost", "Layer gone"],
  ["secret", "Secret"],
  ["platform", "Platform"],
  ["first", "First time"],
  ["unknown", "Unknown"],
]);
const MOST_CAUSES = 40;

function Causes({ causes }: { causes: readonly StepCause[] }) {
  return (
    <ul className="panel text-xs lines build-causes">
      {causes.slice(0, MOST_CAUSES).map(({ kind, name, before, after }) => (
        <li key={`${kind} ${name} ${before} ${after}`}>
          <span className="subtle build-cause">{KINDS.get(kind) ?? cutText(kind, 40)}</span>
          <span className="grow">
            {/* An instruction is its own name. */}
            {(kind !== "instruction" || name !== after || !before) && (
              <bdi className="mono">{cutText(name, 200)}</bdi>
            )}
            {kind === "instruction" && name === after && !before ? (
              <span className="subtle"> is new</span>
            ) : (
              (before || after) && <Change before={before} after={after} />
            )}
          </span>
        </li>
      ))}
      {causes.length > MOST_CAUSES && (
        <li className="subtle">and {plural(causes.length - MOST_CAUSES, "more")}</li>
      )}
    </ul>
  );
}

function Change({ before, after }: { before: string; after: string }): ReactNode {
  const value = (text: string) => (text ? cutText(text, 120) : "nothing");
  return (
    <span className="subtle">
      {" "}
      was <bdi className="mono">{value(before)}</bdi>, is <bdi className="mono">{value(after)}</bdi>
    </span>
  );
}
