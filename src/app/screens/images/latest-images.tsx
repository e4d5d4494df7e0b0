import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useLocation } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { Head, Page } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { repositoriesQuery } from "./image-queries.ts";
import { chooseRepository } from "./choose-repository.ts";
import { readRepository } from "./last-repository.ts";

/** `/images`: leads to the project viewed last, or pushed to last. */
export function LatestImagesScreen() {
  const { id, name: organization } = useOrganization();
  const { search } = useLocation();
  const projects = useQuery(projectsQuery(organization));
  const repositories = useQuery(repositoriesQuery(organization));
  const error = projects.error ?? repositories.error;
  const chosen =
    projects.data &&
    repositories.data &&
    chooseRepository(projects.data, repositories.data, readRepository(id));
  if (chosen)
    return <Navigate to={addressOf(organization, `images/${encodeURIComponent(chosen)}`) + search} replace />;
  const retry = () => void Promise.all([projects.refetch(), repositories.refetch()]);
  return (
    <Page title="Images">
      <Head title="Images" />
      {chosen === null ? (
        <NoProjects />
      ) : error ? (
        <Failure what="The images" error={error} onRetry={retry} />
      ) : (
        <Loading what="the images" />
      )}
    </Page>
  );
}

function NoProjects() {
  const { name: organization } = useOrganization();
  return (
    <EmptyState title={`${organization} has no project yet`}>
      <p>Images are kept in projects: a project&apos;s name is the name of its repository.</p>
      <div className="row">
        <Link className="btn action" to={addressOf(organization, "projects?new=1")}>
          New project
        </Link>
      </div>
    </EmptyState>
  );
}
