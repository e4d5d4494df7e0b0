import { trimTrailingSlashes } from "#platform/text/trim-slashes.ts";

/** GitLab's own host and others like `gitlab.acme.com`; all other hosts use GitHub's addresses. */
const GITLAB = /(^|\.)gitlab\./;

/**
 * The address for editing a file in the browser: on the branch `main`, without a line.
 * @param repository `https://github.com/acme/docs`; null if `site.config.ts` names none
 * @param file relative to the repository's root
 */
export function editUrlOf(repository: string | null, file: string): string | null {
  if (!repository) return null;
  const { origin, hostname, pathname } = new URL(repository);
  const place = trimTrailingSlashes(pathname).replace(/\.git$/, "");
  const edit = GITLAB.test(hostname) ? "/-/edit/main/" : "/edit/main/";
  return origin + place + edit + file.split("/").map(encodeURIComponent).join("/");
}
