import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useHere, useOrganization } from "../../data/organization.ts";
import { membersQuery, projectsQuery, tokensQuery } from "../../data/queries.ts";
import { useMinute } from "../../ui/use-minute.ts";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { recentBuildsQuery } from "../builds/build-queries.ts";
import { exchangesQuery } from "../projects/exchanges-query.ts";
import { findNeedsALook, type LookItem } from "./needs-a-look.ts";

const ICONS: { [Kind in LookItem["kind"]]: IconName } = {
  build: "container",
  refused: "shieldAlert",
  token: "keyRound",
  people: "users",
};

/** The linked pages have the rest. */
const MAX_SHOWN = 6;

export function NeedsALook() {
  const { user } = useHere();
  const { name, isOwner } = useOrganization();
  const now = useMinute();
  const members = useQuery(membersQuery(name));
  const tokens = useQuery(tokensQuery(name));
  const exchanges = useQuery(exchangesQuery(name));
  const builds = useQuery(recentBuildsQuery(name));
  const projects = useQuery(projectsQuery(name));
  const failed = [tokens, exchanges, members].find(({ error, data }) => error && !data);
  const isReading = [tokens, exchanges, members].some(({ isPending }) => isPending);
  const items = findNeedsALook({
    now,
    userId: user.id,
    isOwner,
    members: members.data,
    tokens: tokens.data,
    exchanges: exchanges.data,
    builds: builds.data,
    projectNames: new Map(projects.data?.map((project) => [project.id, project.name])),
  });
  return (
    <section className="section" aria-label="Needs a look">
      <div className="section-header">
        <h2>Needs a look</h2>
      </div>
      {items.length > 0 && (
        <ul className="panel text-xs lines">
          {items.slice(0, MAX_SHOWN).map((item) => (
            <Look key={item.key} item={item} organization={name} />
          ))}
        </ul>
      )}
      {failed?.error ? (
        <Failure what="A part of this" error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        items.length === 0 &&
        (isReading ? (
          <Loading what="what needs a look" />
        ) : (
          <p className="panel panel-body text-xs muted">
            Nothing: no build is failing, no job was refused, and no token expires soon.
          </p>
        ))
      )}
    </section>
  );
}

function Look({ item, organization }: { item: LookItem; organization: string }) {
  return (
    <li>
      <span className={item.kind === "refused" || item.kind === "build" ? "text-fail row" : "subtle row"}>
        <Icon name={ICONS[item.kind]} />
      </span>
      <span className="grow clip">
        <Link className="strong" to={addressOf(organization, item.to)}>
          <bdi>{item.title}</bdi>
        </Link>{" "}
        <bdi className="subtle" title={item.detail}>
          {item.detail}
        </bdi>
      </span>
      {item.at && <Ago at={item.at} />}
    </li>
  );
}
