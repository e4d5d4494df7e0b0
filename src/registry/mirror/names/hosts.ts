/** The registries that are pulled through, and their addresses. */
import { isMirrorHost } from "../../contract/names.ts";
import { MAX_HOSTS } from "../limits.ts";

export interface MirrorHost {
  /** As images name it: `docker.io`. */
  name: string;
  /** `https://registry-1.docker.io` */
  origin: string;
  /** The operator has listed it: it may be on a private network. */
  isListed: boolean;
}

/** Public registries that many images are based on. */
const KNOWN = [
  "docker.io",
  "ghcr.io",
  "quay.io",
  "gcr.io",
  "registry.k8s.io",
  "mcr.microsoft.com",
  "public.ecr.aws",
  "registry.gitlab.com",
];
const DOCKER = "docker.io";
/** A host's address, if it is not the host's own name. */
const ADDRESSES: Readonly<Record<string, string>> = { [DOCKER]: "https://registry-1.docker.io" };

export const DEFAULT_MIRROR_HOSTS: readonly MirrorHost[] = KNOWN.map((name) => ({
  name,
  origin: addressOf(name),
  isListed: false,
}));

/**
 * @param text `docker.io, registry.example.com, ghcr.io=https://ghcr.example.com`; `none`: no host
 * @throws Error that says what is wrong with it
 */
export function parseMirrorHosts(text: string): MirrorHost[] {
  const entries = text.split(",").map((entry) => entry.trim());
  if (entries.length === 1 && entries[0] === "none") return [];
  if (entries.length > MAX_HOSTS) throw new Error(`at most ${MAX_HOSTS} hosts`);
  const hosts = entries.map(parseEntry);
  const twice = hosts.find(({ name }, at) => hosts.findIndex((host) => host.name === name) !== at);
  if (twice) throw new Error(`${twice.name} is listed twice`);
  return hosts;
}

function parseEntry(entry: string): MirrorHost {
  const at = entry.indexOf("=");
  const name = at < 0 ? entry : entry.slice(0, at);
  if (!isMirrorHost(name))
    throw new Error(`${JSON.stringify(name)} is not a host name with a dot or a port, such as docker.io`);
  if (at < 0) return { name, origin: addressOf(name), isListed: true };
  const address = entry.slice(at + 1);
  const url = URL.canParse(address) ? new URL(address) : null;
  const isAddress =
    url && /^https?:$/.test(url.protocol) && url.username === "" && url.pathname === "/" && url.search === "";
  if (!url || !isAddress || url.hash !== "")
    throw new Error(`${name} must have an address without a path, such as ${name}=https://${name}`);
  return { name, origin: url.origin, isListed: true };
}

function addressOf(name: string): string {
  return ADDRESSES[name] ?? `https://${name}`;
}

/** Docker's own images have no user name: `docker.io/alpine` is `docker.io/library/alpine`. */
export function fullPath(host: string, path: string): string {
  return host === DOCKER && !path.includes("/") ? `library/${path}` : path;
}
