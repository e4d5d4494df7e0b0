import { Link } from "react-router";
import { useHere } from "../data/organization.ts";
import { Head, Page } from "../page/page.tsx";
import { addressOf } from "../page/places.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";

/** Names some of the person's organizations, for links that name none of them. */
const MAX_NAMED = 8;

/** The same words for missing places and for those of other people. */
export function MissingScreen() {
  const {
    user: { organizations },
    organization,
  } = useHere();
  return (
    <Page title="There is no such page">
      <Head title="There is no such page" />
      <EmptyState title="There is nothing at this address for you">
        <p>
          The address may be mistyped, its page may be gone, or it belongs to an organization that you are not
          a member of.
        </p>
        <div className="row wrap gap12">
          {organization ? (
            <>
              <Link className="btn" to={addressOf(organization.name, "")}>
                Overview of {organization.name}
              </Link>
              <Link className="btn" to={addressOf(organization.name, "projects")}>
                Projects
              </Link>
            </>
          ) : (
            organizations.slice(0, MAX_NAMED).map(({ id, name }) => (
              <Link className="btn" key={id} to={addressOf(name, "")}>
                <Icon name="gauge" />
                {name}
              </Link>
            ))
          )}
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
