import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useParams } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { cutText } from "../../format.ts";
import { Head, Page } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { buildQuery } from "./build-queries.ts";
import { BuildView } from "./build-view.tsx";
import "../../styles/builds.css";

/** `/builds/:build`: one build, during and after its run. */
export function BuildScreen() {
  const { build: id = "" } = useParams();
  const { name } = useOrganization();
  const { data: build, error, refetch } = useQuery(buildQuery(name, id));
  const above = useMemo(() => [{ label: "Builds", to: addressOf(name, "builds") }], [name]);
  if (build) return <BuildView key={build.id} build={build} />;
  if (build === null) return <MissingBuild id={id} />;
  return (
    <Page title={id} above={above}>
      <Head title={<bdi>{cutText(id, 60)}</bdi>} />
      {error ? (
        <Failure what={`The build ${cutText(id, 60)}`} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the build" />
      )}
    </Page>
  );
}

/** The same for a build that never existed and one of other people. */
function MissingBuild({ id }: { id: string }) {
  const { name } = useOrganization();
  const list = addressOf(name, "builds");
  const above = useMemo(() => [{ label: "Builds", to: list }], [list]);
  return (
    <Page title="No such build" above={above}>
      <Head title="No such build" />
      <EmptyState
        title={
          <>
            There is no build <bdi className="mono">{cutText(id, 60)}</bdi> in {name}.
          </>
        }
      >
        <p>Build records are kept for a limited time and are deleted with their project.</p>
        <div className="row wrap gap12">
          <Link className="btn" to={list}>
            All builds
          </Link>
        </div>
      </EmptyState>
    </Page>
  );
}
