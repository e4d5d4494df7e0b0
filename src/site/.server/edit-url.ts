import { trimTrailingSlashes } from "#platform/text/trim-slashes.ts";

/** GitLab's own and those of others, as `gitlab.acme.com`; anything else has GitHub's addresses. */
const GITLAB = /(^|\.)gitlab\./;

/**
 * Where a file can be edited in the browser: on the branch `main`, without a line.
 * @param repository `https://github.com/acme/docs`; null where `site.config.ts` names none
 * @param file relative to the repository's root
 */
export function editUrlOf(repository: string | null, file: string): string | null {
  if (!repository) return null;
  const { origin, hostname, pathname } = new URL(repository);
  const place = trimTrailingSlashes(pathname).replace(/\.git$/, "");
  const edit = GITLAB.test(hostname) ? "/-/edit/main/" : "/edit/main/";
  return origin + place + edit + file.split("/").map(encodeURIComponent).join("/");
}
