import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Exchange, Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { useOpened } from "../../data/use-opened.ts";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Status } from "../../ui/status.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableColumn, TableSegment } from "../../ui/table/table-types.ts";
import { describeCheck, describeDifference, nameProvider } from "./exchange-words.ts";
import { exchangesQuery } from "./exchanges-query.ts";

const isRefused = ({ refused_because }: Exchange) => refused_because !== "";

const COLUMNS: readonly TableColumn<Exchange>[] = [
  {
    key: "job",
    label: "Job",
    isMain: true,
    value: ({ subject }) => subject,
    render: ({ subject, issuer }) => (
      <bdi className="clip mono" title={`${nameProvider(issuer)}, ${subject}`}>
        {subject}
      </bdi>
    ),
  },
  {
    key: "result",
    label: "Result",
    isResult: true,
    value: (job) => (isRefused(job) ? "refused" : "token"),
    render: (job) =>
      isRefused(job) ? (
        <Status state="failed" word="Refused" />
      ) : (
        <Status state="succeeded" word="Got a token" />
      ),
  },
  {
    key: "why",
    label: "Why",
    isSortable: false,
    value: describeDifference,
    render: (job) => {
      const why = describeDifference(job);
      if (why === "") return null;
      return (
        <bdi className="clip muted why" title={why}>
          {why}
        </bdi>
      );
    },
  },
  {
    key: "time",
    label: "When",
    isNumber: true,
    value: ({ time }) => time ?? null,
    render: ({ time }) => <Ago at={time} />,
  },
];

const SEGMENTS: readonly TableSegment<Exchange>[] = [
  { key: "all", label: "All", has: () => true },
  { key: "refused", label: "Refused", has: isRefused },
];
const ORDER = { key: "time", isDescending: true };

/** The CI jobs that asked for a token, and why some were refused. */
export function LatestJobs({ project }: { project: Project }) {
  const { name: organization } = useOrganization();
  const row = useOpened("row");
  const source = useQuery(exchangesQuery(organization, project.id));
  const current = source.data?.find(({ id }) => id === row.value);
  return (
    <section className="section" aria-label="Latest CI jobs">
      <div className="section-header">
        <h2>Latest CI jobs</h2>
        <span className="text-xs subtle">the last 50 granted and 50 refused, in 30 days</span>
      </div>
      {current && isRefused(current) && <RefusedJob job={current} project={project} onClose={row.close} />}
      <DataTable
        name="CI jobs"
        unit="job"
        source={source}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        textOf={textOf}
        searchLabel="Job, claim or reason"
        segments={SEGMENTS}
        order={ORDER}
        currentKey={current?.id}
        onOpen={({ id }) => row.open(id)}
        empty={<NoJobs project={project} />}
      />
    </section>
  );
}

const textOf = (job: Exchange) =>
  [job.subject, job.issuer, job.refused_because, ...Object.values(job.claims)].join(" ");

interface RefusedProps {
  job: Exchange;
  project: Project;
  onClose: () => void;
}

function RefusedJob({ job, project, onClose }: RefusedProps) {
  const { name: organization } = useOrganization();
  const tester = addressOf(organization, `settings/trust?q=${encodeURIComponent(project.name)}`);
  return (
    <div className="note bad">
      <Icon name="shieldAlert" />
      <div className="grow">
        <b>
          <bdi>{job.subject}</bdi> at {nameProvider(job.issuer)} was refused a token
        </b>
        {job.differences.length > 0 ? (
          <ul>
            {job.differences.map((check) => (
              <li key={`${check.claim} ${check.wanted}`}>
                <bdi>{describeCheck(check)}</bdi>
              </li>
            ))}
          </ul>
        ) : (
          <p>{job.refused_because}</p>
        )}
        {job.differences.length > 0 && (
          <Link className="link" to={tester}>
            Compare it with the trust relationships
          </Link>
        )}
      </div>
      <button className="icon-button small" type="button" aria-label="Close" onClick={onClose}>
        <Icon name="x" />
      </button>
    </div>
  );
}

function NoJobs({ project }: { project: Project }) {
  const { name: organization } = useOrganization();
  const isTrusting = project.trust_relationships.length > 0;
  return (
    <EmptyState title={`No CI job has requested a token for ${project.name} yet`}>
      <p>
        {isTrusting
          ? "Trusted jobs and refused jobs appear here by themselves."
          : "The project trusts no CI provider. With a trust relationship, jobs get a token without a stored secret."}
      </p>
      {!isTrusting && (
        <Link className="btn" to={addressOf(organization, `settings/trust?new=1`)}>
          New trust relationship
        </Link>
      )}
    </EmptyState>
  );
}
