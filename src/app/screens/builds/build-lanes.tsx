import { useQuery } from "@tanstack/react-query";
import type { Build } from "#api/gen/json-types.ts";
import { useLive, useIsOffline } from "../../data/live.ts";
import { useOrganization } from "../../data/organization.ts";
import { plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Lane } from "../../ui/lane/lane.tsx";
import { runningBuildsQuery } from "./build-queries.ts";
import { describeWait, timeOf, titleOf } from "./build-words.ts";

/** Running and waiting builds, each on a lane of its usual time. The box is there before the first build. */
export function BuildLanes({ projectId }: { projectId?: string }) {
  const { name } = useOrganization();
  const { data: builds } = useQuery(runningBuildsQuery(name, projectId));
  if (!builds) return null;
  // The longest running build is first, waiting ones are last.
  const inOrder = builds.toSorted((one, other) => rankOf(one) - rankOf(other));
  return (
    <section className="section" aria-label="Running now">
      <div className="section-header">
        <h2>Running now</h2>
        <span className="text-xs subtle">{describeRunning(builds)}</span>
      </div>
      {inOrder.length > 0 ? (
        <div className="lanes">
          {inOrder.map((build) => (
            <BuildLane key={build.id} build={build} />
          ))}
        </div>
      ) : (
        <p className="panel text-xs muted lanes-none">No build is running.</p>
      )}
    </section>
  );
}

const rankOf = (build: Build) => timeOf(build.started_at) ?? Number.MAX_SAFE_INTEGER;

function describeRunning(builds: readonly Build[]): string {
  const waiting = builds.filter(({ state }) => state === "queued").length;
  const running = builds.length - waiting;
  return [running > 0 && plural(running, "build"), waiting > 0 && `${waiting} waiting`]
    .filter(Boolean)
    .join(", ");
}

function BuildLane({ build }: { build: Build }) {
  const { name } = useOrganization();
  const isOffline = useIsOffline();
  const { lastAt } = useLive();
  const usual = Number(build.usual_ms);
  return (
    <Lane
      to={addressOf(name, `builds/${build.id}`)}
      icon="container"
      name={build.project}
      about={titleOf(build)}
      startedAt={build.state === "queued" ? null : timeOf(build.started_at)}
      usual={usual > 0 ? usual : null}
      waitsFor={describeWait(build)}
      {...(isOffline && lastAt !== null && { stoppedAt: lastAt })}
    />
  );
}
