/** Shared by the pages of one project: its head, and its tabs. */
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import { NavLink, useLocation, useNavigate, useParams } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { isSettled } from "../../data/is-settled.ts";
import { tokensQuery } from "../../data/queries.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { CopyProjectFile } from "./copy-project-file.tsx";
import { MissingProject } from "./missing-project.tsx";
import { projectQuery } from "./project-query.ts";
import { describeBuilder } from "./project-settings-values.ts";

/** The project of the address. When someone changes its name, the address follows. */
function useProject(reference: string): UseQueryResult<Project | null> {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const result = useQuery(projectQuery(client, { organization, reference }));
  const { data: project } = result;
  useEffect(() => {
    if (!project || reference === project.name || reference === project.id) return;
    client.setQueryData(["projects", organization, project.name], project);
    const rest = pathname.endsWith("/settings") ? "/settings" : "";
    void navigate(addressOf(organization, `projects/${encodeURIComponent(project.name)}${rest}`) + search, {
      replace: true,
    });
  }, [client, navigate, organization, pathname, project, reference, search]);
  return result;
}

interface Props {
  /** The page below the project; absent: its overview. */
  place?: string;
  actions?: readonly PageAction[];
  children: (project: Project) => ReactNode;
}

export function ProjectPage({ place, actions, children }: Props) {
  const { project: reference = "" } = useParams();
  const { name: organization } = useOrganization();
  const { data: project, error, refetch } = useProject(reference);
  // The tabs count them.
  const tokens = useQuery(tokensQuery(organization));
  const title = project?.name ?? reference;
  const above = useMemo(() => {
    const list = { label: "Projects", to: addressOf(organization, "projects") };
    return place
      ? [list, { label: title, to: addressOf(organization, `projects/${encodeURIComponent(title)}`) }]
      : [list];
  }, [organization, title, place]);
  if (project === null) return <MissingProject reference={reference} />;
  return (
    <Page title={place ?? title} above={above} {...(actions && { actions })}>
      {project && isSettled(tokens) ? (
        <>
          <ProjectHead project={project} />
          <ProjectTabs project={project} />
          {children(project)}
        </>
      ) : (
        <>
          <Head title={<bdi>{reference}</bdi>} />
          {error ? (
            <Failure what={`The project ${reference}`} error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading what={`the project ${reference}`} />
          )}
        </>
      )}
    </Page>
  );
}

function ProjectHead({ project }: { project: Project }) {
  return (
    <Head
      title={project.name}
      beside={
        <span className="row">
          <span className="mono text-xs subtle">{project.id}</span>
          <CopyIconButton text={project.id} label="Copy the id" />
        </span>
      }
      lead={
        <span className="facts">
          <span>
            <Icon name="cpu" />
            {describeBuilder(project.builder_size)} per builder
          </span>
          <span>
            <Icon name="calendar" />
            created <Ago at={project.created_at} />
          </span>
        </span>
      }
      actions={<CopyProjectFile projectId={project.id} />}
    />
  );
}

/** Tabs are links: those into the settings show this project's rows only. */
function ProjectTabs({ project: { id, name, trust_relationships: trusted } }: { project: Project }) {
  const { name: organization } = useOrganization();
  const { data: tokens } = useQuery(tokensQuery(organization));
  const count = tokens?.filter(({ project_id }) => project_id === id).length;
  const own = addressOf(organization, `projects/${encodeURIComponent(name)}`);
  const filter = `?q=${encodeURIComponent(name)}`;
  return (
    <nav className="tabs" aria-label={name}>
      <NavLink to={own} end>
        Overview
      </NavLink>
      <NavLink to={addressOf(organization, `settings/trust${filter}`)}>
        Trust relationships <span className="number">{trusted.length}</span>
      </NavLink>
      <NavLink to={addressOf(organization, `settings/tokens${filter}&show=projects`)}>
        Tokens <span className="number">{count ?? ""}</span>
      </NavLink>
      <NavLink to={`${own}/settings`}>Settings</NavLink>
    </nav>
  );
}
