/** Repositories of pulled-through content: who may pull, and their names. */
import { createHash } from "node:crypto";
import { type Actor, authorize } from "#accounts/index.ts";
import { MIRROR, MIRROR_ID, type RepositoryName } from "../../contract/names.ts";
import type { Grant, RegistryCaller, Repository, Right } from "../../contract/registry.ts";
import { RegistryError } from "../../contract/registry-error.ts";
import { fullPath, type MirrorHost } from "./hosts.ts";

export type MirrorName = Extract<RepositoryName, { kind: "mirror" }>;
export type GrantMirror = (caller: RegistryCaller, name: MirrorName, right: Right) => Promise<Grant>;

/** Bytes of the hash in an id: no one finds two names with the same hash. */
const ID_BYTES = 20;
/** Organizations that one message names. */
const SHOWN_NAMES = 5;

/** @param ownersOf returns the organizations that have credentials for the host */
export function createMirrorGranting(
  hosts: ReadonlyMap<string, MirrorHost>,
  ownersOf: (organizationIds: readonly string[], host: string) => Promise<string[]>,
): GrantMirror {
  return async ({ actor }, name, right) => {
    const { host, path } = name;
    const organizations = organizationsOf(actor, name);
    const [organizationId = null] = organizations.keys();
    const refused = authorize(actor, "mirror.read", { name: `images of ${host}`, organizationId });
    if (refused) throw new RegistryError("DENIED", refused.message, { cause: refused });
    if (!hosts.has(host))
      throw new RegistryError(
        "DENIED",
        `this server does not pull images from ${host}; its operator lists registries in MILLRACE_MIRROR_HOSTS`,
      );
    if (right !== "pull")
      throw new RegistryError(
        "DENIED",
        `${MIRROR}/${host} is for images pulled from ${host} and accepts no pushes; push to <organization>/<project>`,
      );
    const [owner = "", ...others] = await ownersOf([...organizations.keys()], host);
    if (others.length > 0) throw ambiguous(name, [owner, ...others], organizations);
    return { repository: describe(host, fullPath(host, path), owner), right, actor };
  };
}

/** Names, by id, of organizations whose credentials may be meant: the token's or the address's, else all of a person's. */
function organizationsOf(actor: Actor, { organization, host }: MirrorName): ReadonlyMap<string, string> {
  const all = actor.kind === "user" ? actor.memberships : [actor];
  const meant = all.filter((one) => organization === undefined || one.organization === organization);
  if (organization !== undefined && meant.length === 0)
    throw new RegistryError(
      "NAME_UNKNOWN",
      `organization ${organization} was not found; pull without it, from ${MIRROR}/${host}/<image>, or check its name`,
    );
  return new Map(meant.map((one) => [one.organizationId, one.organization]));
}

/** No account is used by accident. */
function ambiguous(
  { host, path }: MirrorName,
  owners: readonly string[],
  organizations: ReadonlyMap<string, string>,
): RegistryError {
  const names = owners.map((id) => organizations.get(id) ?? "").toSorted();
  const shown = names.slice(0, SHOWN_NAMES).join(", ") + (names.length > SHOWN_NAMES ? ", …" : "");
  return new RegistryError(
    "DENIED",
    `${names.length} of your organizations have credentials for ${host}: ${shown}; name one of them, ` +
      `such as ${MIRROR}/${names[0]}/${host}/${path}, or use an organization token`,
  );
}

function describe(host: string, path: string, organizationId: string): Repository {
  return {
    id: idOf(organizationId, `${host}/${path}`),
    name: `${MIRROR}/${host}/${path}`,
    organizationId,
    projectId: null,
  };
}

/** The same for all processes, without a row: repositories that no one could pull from leave none. */
function idOf(organizationId: string, mirror: string): string {
  const hash = createHash("sha256").update(`${organizationId} ${mirror}`).digest("hex");
  return `${MIRROR_ID}_${hash.slice(0, ID_BYTES * 2)}`;
}

/** `docker.io`, `library/alpine` */
export function sourceOf({ name }: Repository): { host: string; path: string } {
  const [, host = "", ...path] = name.split("/");
  return { host, path: path.join("/") };
}
