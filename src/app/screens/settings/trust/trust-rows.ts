import type { Exchange, Project, TrustRelationship } from "#api/gen/json-types.ts";
import { countExchanges, type ExchangeCount } from "./count-exchanges.ts";
import { nameRelationship } from "./providers.ts";

export interface TrustRow {
  /** `prj_7q4hx2n9ds:0`: a relationship has no id except its position. */
  key: string;
  project: Project;
  position: number;
  relationship: TrustRelationship;
  /** `github:acme/web` */
  name: string;
  /** Undefined until the exchanges are known. */
  count: ExchangeCount | undefined;
}

export function toTrustRows(
  projects: readonly Project[],
  exchanges: readonly Exchange[] | undefined,
  /** Milliseconds since 1970. */
  now: number,
): TrustRow[] {
  const byProject = exchanges && Map.groupBy(exchanges, ({ project_id }) => project_id);
  return projects.flatMap((project) => {
    const counts =
      byProject && countExchanges(project.trust_relationships, byProject.get(project.id) ?? [], now);
    return project.trust_relationships.map((relationship, position) => ({
      key: keyOf(project.id, position),
      project,
      position,
      relationship,
      name: nameRelationship(relationship),
      count: counts?.[position],
    }));
  });
}

export const keyOf = (projectId: string, position: number): string => `${projectId}:${position}`;

const RIGHTS: { readonly [cache: string]: string } = {
  read: "read",
  overlay: "write for themselves",
  write: "write",
};

export const describeCache = (cache: string): string => RIGHTS[cache] ?? cache;

export function isSameRelationship(one: TrustRelationship, other: TrustRelationship): boolean {
  const names = Object.keys(one.claims);
  return (
    one.issuer === other.issuer &&
    one.cache === other.cache &&
    names.length === Object.keys(other.claims).length &&
    names.every((name) => one.claims[name] === other.claims[name])
  );
}
