import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { installCommand, npxCommand } from "../../data/cli-commands.ts";
import { useOrganization } from "../../data/organization.ts";
import { addressOf } from "../../page/places.ts";
import { CodeBlock, CodeLine } from "../../ui/code-line.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { projectFile } from "./copy-project-file.tsx";

const WAYS = [
  { value: "cli", label: "CLI" },
  { value: "github", label: "GitHub Actions" },
  { value: "curl", label: "curl" },
] as const;
type Way = (typeof WAYS)[number]["value"];

/** Commands with this server's values. They never contain a secret: its type is shown instead. */
export function UseItHere({ project }: { project: Project }) {
  const [way, setWay] = useState<Way>("cli");
  return (
    <section className="section" aria-label="Use it here">
      <div className="section-header">
        <h2>Use it here</h2>
        <span className="end">
          <Segmented label="Way" options={WAYS} value={way} onChange={setWay} />
        </span>
      </div>
      <div className="panel panel-body section">{WORDS[way](project)}</div>
    </section>
  );
}

const origin = () => location.origin;

const WORDS: { [Key in Way]: (project: Project) => ReactNode } = {
  cli: ({ id }) => (
    <>
      <CodeLine command={installCommand(origin())} />
      <CodeLine command={`millrace login --url ${origin()}`} />
      <CodeLine command={`millrace init --project ${id}`} />
      <p className="text-xs muted">
        The last line writes this file. Commit it, and every command in the repository finds the project.
      </p>
      <CodeBlock name="millrace.json" text={projectFile(id)} />
    </>
  ),
  github: (project) => <GitHubWay project={project} />,
  curl: (project) => <CurlWay project={project} />,
};

function GitHubWay({ project: { id, trust_relationships: trusted } }: { project: Project }) {
  const { name: organization } = useOrganization();
  return (
    <>
      {trusted.length === 0 && (
        <p className="text-xs muted">
          First let the jobs of a repository in:{" "}
          <Link className="link" to={addressOf(organization, `settings/trust?new=1`)}>
            add a trust relationship
          </Link>
          . GitHub then stores no secret.
        </p>
      )}
      <CodeBlock
        name=".github/workflows/millrace.yml"
        text={`on: push
jobs:
  millrace:
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      id-token: write
    env:
      MILLRACE_URL: ${origin()}
      MILLRACE_PROJECT: ${id}
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: ${npxCommand(origin())} whoami
`}
      />
      <p className="text-xs muted">
        The job that runs appears under Latest CI jobs.{" "}
        <a className="link" href="/docs/api/authentication/ci-providers">
          Other providers
        </a>
      </p>
    </>
  );
}

function CurlWay({ project: { id } }: { project: Project }) {
  const { name: organization } = useOrganization();
  return (
    <>
      <p className="text-xs muted">
        <code>MILLRACE_TOKEN</code> is a token of the project, mr_prj_…:{" "}
        <Link className="link" to={addressOf(organization, `settings/tokens?new=1`)}>
          create one
        </Link>
        . It is shown once.
      </p>
      <CodeBlock
        name="Read this project"
        text={`curl -sS ${origin()}/api/millrace.v1.ProjectService/Get \\
  -H "Authorization: Bearer $MILLRACE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"project_id":"${id}"}'`}
      />
      <p className="text-xs muted">
        <Link className="link" to="/app/api">
          Every method of the API
        </Link>
      </p>
    </>
  );
}
