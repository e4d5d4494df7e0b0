import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Build } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText, formatExactTime } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { useMinute } from "../../ui/use-minute.ts";
import { cutMiddle, describeTime, shortSha, timeOf } from "./build-words.ts";
import { jobOf } from "./job-of.ts";

/** The build's author, content, origin and times. */
export function BuildFacts({ build }: { build: Build }) {
  const { name } = useOrganization();
  const now = useMinute();
  const { created_by: by, branch, commit_sha: sha, canceled_by: canceledBy } = build;
  const at = timeOf(build.started_at) ?? timeOf(build.created_at) ?? 0;
  const filtered = `builds?project=${encodeURIComponent(build.project)}&branch=${encodeURIComponent(branch)}`;
  return (
    <span className="facts">
      {by && (
        <span>
          <Avatar name={by} />
          <bdi className="clip">{cutText(by, 60)}</bdi>
        </span>
      )}
      {branch && !isRequest(build) && (
        <Fact icon="gitBranch">
          <Link className="mono link" to={addressOf(name, filtered)} title={cutText(branch, 300)}>
            <bdi>{cutMiddle(branch)}</bdi>
          </Link>
        </Fact>
      )}
      {sha && (
        <Fact icon="tag">
          <bdi className="mono" title={cutText(sha, 200)}>
            {shortSha(sha)}
          </bdi>
        </Fact>
      )}
      <JobFacts build={build} />
      <Fact icon="clock">
        <time dateTime={build.started_at ?? build.created_at} title={formatExactTime(at)}>
          {describeTime(build, now)}
        </time>
      </Fact>
      {build.state === "canceled" && (
        <Fact icon="circleX">canceled by {canceledBy ? cutText(canceledBy, 60) : "the server"}</Fact>
      )}
    </span>
  );
}

/** `refs/pull/418/merge` is named by its request. */
const isRequest = ({ branch, job }: Build) =>
  Boolean(job?.pull_request) && /^refs\/(?:pull|merge-requests)\//.test(branch);

/** For a build that a CI job requested. */
function JobFacts({ build }: { build: Build }) {
  const { request, workflow } = jobOf(build);
  return (
    <>
      {request && (
        <Fact icon="gitPullRequest">
          <Outside {...request} label={`Pull request ${request.text}`} />
        </Fact>
      )}
      {workflow && (
        <Fact icon="workflow">
          <Outside {...workflow} label={`Job of ${workflow.text}`} />
        </Fact>
      )}
    </>
  );
}

/** A link to the CI provider, when its address is known. */
function Outside({ text, href, label }: { text: string; href: string; label: string }) {
  if (href === "") return <bdi>{text}</bdi>;
  return (
    <a className="link" href={href} rel="noreferrer" target="_blank" aria-label={label}>
      <bdi>{text}</bdi>
    </a>
  );
}

function Fact({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <span>
      <Icon name={icon} />
      {children}
    </span>
  );
}
