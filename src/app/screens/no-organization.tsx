import { useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { useHere } from "../data/organization.ts";
import { authStateQuery } from "../data/queries.ts";
import { Head, Page } from "../page/page.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";

/** Signed in, but not a member of any organization: an invitation is unused, or the membership has ended. */
export function NoOrganization() {
  const { user } = useHere();
  const client = useQueryClient();
  return (
    <Page title="No organization">
      <Head title="You belong to no organization" />
      <EmptyState
        title={
          <>
            You are signed in as <bdi>{user.name}</bdi>
          </>
        }
      >
        <p>
          Projects, tokens and members belong to an organization. Ask one of its owners for an invitation: its
          link lets you in{user.mail ? `, even if it was sent to an address other than ${user.mail}` : ""}.
        </p>
        <div className="row wrap gap12">
          <button
            className="btn"
            type="button"
            onClick={() => void client.invalidateQueries({ queryKey: authStateQuery.queryKey })}
          >
            <Icon name="rotate" />
            Look again
          </button>
          <Link className="btn bare" to="/app/me">
            Your profile
          </Link>
          <a className="btn bare" href="/docs">
            Documentation
          </a>
        </div>
      </EmptyState>
    </Page>
  );
}
