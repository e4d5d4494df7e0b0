import { Link } from "react-router";
import { useHere } from "../data/organization.ts";
import { Head, Page } from "../page/page.tsx";
import { addressOf } from "../page/places.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";

/** Of one's other organizations, so that a link that names none of them goes on. */
const MAX_NAMED = 8;

/** The same words for what is not there and for what is not yours. */
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
