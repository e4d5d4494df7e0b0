/** Image names, parsed as in Docker: `ghcr.io/acme/web:1.4`, `acme/web` of Docker Hub, `production` for a tag alone. */
import { usageError } from "../errors.ts";

export interface ImageName {
  /** `ghcr.io`, `localhost:3000`, `docker.io` */
  host: string;
  /** `acme/web` */
  path: string;
  tag: string;
}

const DOCKER_HUB = "docker.io";
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const DIGEST = /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/;
const PATH = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,252}[a-zA-Z0-9])?|\[[0-9a-fA-F:]{2,45}\])(?::\d{1,5})?$/;
const MAX_LENGTH = 512;

export const isTag = (text: string): boolean => TAG.test(text);
export const isDigest = (text: string): boolean => DIGEST.test(text);

/** @throws CliError with exit code 2 */
export function parseImageName(text: string, flag: string): ImageName {
  const wrong = (why: string) => usageError(`${flag} ${text.slice(0, 200)} ${why}`);
  if (text.includes("@")) throw wrong("has a digest: give the name a tag, as in ghcr.io/acme/web:1.4");
  const [first = "", ...rest] = text.split("/");
  const hasHost = rest.length > 0 && /[.:]|^localhost$/.test(first);
  if (!hasHost && rest.length === 0)
    throw wrong("names no registry: write its host first, as in ghcr.io/acme/web:1.4");
  const host = hasHost ? first : DOCKER_HUB;
  const named = hasHost ? rest.join("/") : text;
  const colon = named.lastIndexOf(":");
  const path = colon < 0 ? named : named.slice(0, colon);
  const tag = colon < 0 ? "latest" : named.slice(colon + 1);
  if (text.length > MAX_LENGTH || !HOST.test(host) || !PATH.test(path) || !TAG.test(tag))
    throw wrong(
      "is not an image name: write host/path:tag in lower-case letters, as in ghcr.io/acme/web:1.4",
    );
  return { host, path, tag };
}

export const showImageName = ({ host, path, tag }: ImageName): string => `${host}/${path}:${tag}`;
