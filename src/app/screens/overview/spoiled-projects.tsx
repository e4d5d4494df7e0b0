import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { addressOf } from "../../page/places.ts";
import { Icon } from "../../ui/icon.tsx";
import { countImages } from "../projects/spoiled-cache-words.ts";

/** Projects whose images cannot be trusted, above everything else. */
export function SpoiledProjects() {
  const { name: organization } = useOrganization();
  const { data: projects = [] } = useQuery(projectsQuery(organization));
  return projects.map(
    ({ id, name, spoiled_cache: spoiled }) =>
      spoiled && (
        <p key={id} className="note warn">
          <Icon name="triangleAlert" />
          <span className="grow">
            <b>
              {spoiled.images.length > 0
                ? `${countImages(spoiled)} of ${name} cannot be trusted.`
                : `The layer cache of ${name} was spoiled and has been reset.`}
            </b>{" "}
            Files in its layer cache had wrong modes.{" "}
            <Link className="link" to={addressOf(organization, `projects/${encodeURIComponent(name)}`)}>
              What to do
            </Link>
          </span>
        </p>
      ),
  );
}
