import { useMemo } from "react";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { Head, Page } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { EmptyState } from "../../ui/empty-state.tsx";

/** The same for a deleted project, one that never existed, and one of other people. */
export function MissingProject({ reference }: { reference: string }) {
  const { name: organization } = useOrganization();
  const list = addressOf(organization, "projects");
  const above = useMemo(() => [{ label: "Projects", to: list }], [list]);
  return (
    <Page title="No such project" above={above}>
      <Head title="No such project" />
      <EmptyState
        title={
          <>
            There is no project <bdi className="mono">{reference}</bdi> in {organization}.
          </>
        }
      >
        <p>It may have been renamed or deleted. Its id, prj_…, finds it under every name.</p>
        <div className="row wrap gap12">
          <Link className="btn" to={list}>
            All projects
          </Link>
          <Link className="btn" to={`${list}?new=1`}>
            New project
          </Link>
        </div>
      </EmptyState>
    </Page>
  );
}
