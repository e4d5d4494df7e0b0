/** The words of each step. Values of this server are filled in; a secret never is. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Capability } from "#api/gen/json-types.ts";
import { installCommand, npxCommand } from "../../data/cli-commands.ts";
import { addressOf } from "../../page/places.ts";
import type { ChecklistStep } from "../../ui/checklist.tsx";
import { CodeLine } from "../../ui/code-line.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Ask } from "../builders/ask.tsx";
import type { FirstRun, StepFound, StepKey } from "./first-run.ts";

interface Input {
  firstRun: FirstRun;
  lack: Capability | undefined;
  organization: string;
}

export function stepOf(key: StepKey, { firstRun, lack, organization }: Input): ChecklistStep {
  const seen = firstRun.steps[key];
  return {
    key,
    ...WORDS[key]({ organization, lack, project: firstRun.steps.project?.found.text ?? "" }),
    ...(seen && {
      done: { at: seen.at, found: <Found seen={seen} to={FOUND_AT[key](organization, seen)} /> },
    }),
  };
}

interface Names {
  organization: string;
  /** The first project's name; empty: there is none yet. */
  project: string;
  lack: Capability | undefined;
}

type Words = Omit<ChecklistStep, "key" | "done">;

const WORDS: { [Key in StepKey]: (names: Names) => Words } = {
  login: () => ({
    title: "Install the CLI and log in",
    text: "On your own machine, with Node.js 20.19 or newer. The browser asks whether the code is yours.",
    body: (
      <>
        <CodeLine command={installCommand(location.origin)} />
        <CodeLine command={`millrace login --url ${location.origin}`} />
      </>
    ),
    waitsFor: "your first login from a terminal",
  }),
  project: ({ organization }) => ({
    title: "Connect a directory to a project",
    text: "In a repository. This creates a project, or uses an existing one, and writes its id to millrace.json. Commit that file.",
    body: (
      <>
        <CodeLine command="millrace init" />
        <Else to={addressOf(organization, "projects?new=1")}>Make the project here</Else>
      </>
    ),
    waitsFor: `the first project of ${organization}`,
  }),
  build: ({ organization, project, lack }) => ({
    title: "Build an image",
    text: "In a directory with a Dockerfile. The first build fills the layer cache, so it is the slowest.",
    body: (
      <>
        {lack && <Lack lack={lack} organization={organization} />}
        <CodeLine command="millrace build ." />
      </>
    ),
    waitsFor: `the first build of ${project || organization} that succeeds`,
  }),
  token: ({ organization, project }) => ({
    title: "Let CI in with a token",
    text: (
      <>
        Create a project token{project && ` for ${project}`}, and store it in your CI as the secret{" "}
        <code>MILLRACE_TOKEN</code>. A job that runs this line shows that the token works.
      </>
    ),
    body: (
      <>
        <CodeLine command={`MILLRACE_URL=${location.origin} ${npxCommand(location.origin)} whoami`} />
        <Else to={addressOf(organization, "settings/tokens?new=1")}>New token</Else>
      </>
    ),
    waitsFor: "the first request with a project or organization token",
  }),
  job: ({ organization, project }) => ({
    title: "Trust a CI provider",
    text: "Better than a stored secret: GitHub, GitLab, CircleCI or Buildkite vouches for the job, and the job gets a token that expires within hours.",
    body: (
      <>
        <CodeLine command="millrace projects update --trust github:OWNER/REPOSITORY" />
        <Else to={addressOf(organization, "settings/trust?new=1")}>Choose provider and claims</Else>
      </>
    ),
    waitsFor: `the first job ${project ? `of ${project} ` : ""}that gets a token`,
  }),
  colleague: ({ organization }) => ({
    title: "Invite a colleague",
    text: "With the same projects and the same cache, no one rebuilds what someone else has built.",
    body: <Else to={addressOf(organization, "settings/members?new=1")}>Invite someone</Else>,
    waitsFor: `the second member of ${organization}`,
  }),
};

/** The error that the build would get. */
function Lack({ lack: { lost, command }, organization }: { lack: Capability; organization: string }) {
  return (
    <div className="note warn">
      <Icon name="circleAlert" />
      <div>
        <p>{lost}</p>
        {command ? <CodeLine command={command} /> : <Ask />}
        <Else to={addressOf(organization, "runners/builders")}>What can run here</Else>
      </div>
    </div>
  );
}

/** The same step without a terminal. */
function Else({ to, children }: { to: string; children: ReactNode }) {
  return (
    <div className="else">
      <Link className="btn low" to={to}>
        {children}
      </Link>
    </div>
  );
}

const FOUND_AT: { [Key in StepKey]: (organization: string, seen: StepFound) => string } = {
  login: (organization, { found }) => addressOf(organization, `settings/tokens?row=${found.id ?? ""}`),
  project: (organization, { found }) =>
    addressOf(organization, `projects/${encodeURIComponent(found.id ?? found.text)}`),
  build: (organization, { found }) => addressOf(organization, `builds/${found.id ?? ""}`),
  token: (organization, { found }) => addressOf(organization, `settings/tokens?row=${found.id ?? ""}`),
  job: (organization) => addressOf(organization, "settings/trust"),
  colleague: (organization, { found }) => addressOf(organization, `settings/members?row=${found.id ?? ""}`),
};

function Found({ seen: { found }, to }: { seen: StepFound; to: string }) {
  return (
    <Link to={to}>
      <bdi>{found.text}</bdi>
      {found.id?.startsWith("prj_") && <span className="mono"> {found.id}</span>}
    </Link>
  );
}
