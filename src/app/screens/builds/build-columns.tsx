import { Link } from "react-router";
import type { Build } from "#api/gen/json-types.ts";
import { useIsOffline } from "../../data/live.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText, formatTook } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { Person } from "../../ui/avatar.tsx";
import { StepsChannel } from "../../ui/channel/channel.tsx";
import { Clock } from "../../ui/clock/clock.tsx";
import { Status } from "../../ui/status.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import {
  cellsOf,
  countCached,
  cutMiddle,
  isOver,
  shortSha,
  stateOf,
  timeOf,
  titleOf,
  tookOf,
} from "./build-words.ts";

const TITLE: TableColumn<Build> = {
  key: "build",
  label: "Build",
  isMain: true,
  value: titleOf,
  render: (build) => <BuildLink build={build} />,
};

const PROJECT: TableColumn<Build> = {
  key: "project",
  label: "Project",
  value: ({ project }) => project,
  render: ({ project }) => (
    <bdi className="clip build-project" title={project}>
      {project}
    </bdi>
  ),
};

const REST: readonly TableColumn<Build>[] = [
  {
    key: "result",
    label: "Result",
    isResult: true,
    value: ({ state }) => state,
    render: (build) => <Status state={stateOf(build)} />,
  },
  {
    key: "steps",
    label: "Steps",
    isMinor: true,
    value: ({ steps_total }) => steps_total,
    render: (build) => build.steps_total > 0 && <StepsChannel steps={cellsOf(build)} />,
  },
  {
    key: "cached",
    label: "Cached",
    isNumber: true,
    value: ({ steps_cached }) => steps_cached,
    rank: ({ steps_cached, steps_total }) => (steps_total > 0 ? steps_cached / steps_total : null),
    render: (build) => (
      <>
        {countCached(build)}
        {build.steps_total > 0 && <span className="narrow-word"> cached</span>}
      </>
    ),
  },
  {
    key: "branch",
    label: "Branch",
    isMinor: true,
    value: ({ branch }) => branch || null,
    render: ({ branch }) => (
      <bdi className="mono muted" title={cutText(branch, 300)}>
        {cutMiddle(branch)}
      </bdi>
    ),
  },
  {
    key: "sha",
    label: "Sha",
    isMinor: true,
    value: ({ commit_sha }) => commit_sha || null,
    render: ({ commit_sha }) => <bdi className="mono subtle">{shortSha(commit_sha)}</bdi>,
  },
  {
    key: "by",
    label: "By",
    value: ({ created_by }) => created_by || null,
    render: ({ created_by }) =>
      created_by && (
        <span className="build-by">
          <Person name={cutText(created_by, 60)} />
        </span>
      ),
  },
  {
    key: "time",
    label: "Time",
    isNumber: true,
    value: tookOf,
    render: (build) => <Took build={build} />,
  },
  {
    key: "created",
    label: "Ago",
    isNumber: true,
    value: ({ created_at }) => created_at ?? null,
    render: ({ created_at }) => <Ago at={created_at} />,
  },
];

export const COLUMNS: readonly TableColumn<Build>[] = [TITLE, ...REST.slice(0, 1), PROJECT, ...REST.slice(1)];
/** For the page of its project, which has less room. */
export const PROJECT_COLUMNS: readonly TableColumn<Build>[] = [TITLE, ...REST].filter(
  ({ key }) => key !== "branch" && key !== "sha",
);

function BuildLink({ build }: { build: Build }) {
  const { name } = useOrganization();
  const title = titleOf(build);
  return (
    <span className="row">
      <Link className="clip" to={addressOf(name, `builds/${build.id}`)} title={`${title}\n${build.id}`}>
        <bdi>{title}</bdi>
      </Link>
    </span>
  );
}

function Took({ build }: { build: Build }) {
  const isOffline = useIsOffline();
  const took = tookOf(build);
  if (took !== null) return formatTook(took);
  const start = timeOf(build.started_at);
  if (start === null || isOver(build)) return null;
  // Without a connection the clock stops, because no one can vouch for it.
  return isOffline ? "–" : <Clock startedAt={start} />;
}
