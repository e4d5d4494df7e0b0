import type { ComponentProps } from "react";
import { Link } from "react-router";

type SiteLinkProps = Omit<ComponentProps<"a">, "href"> & { to: string };

/**
 * A link to a page of the site, prefetched on intent, or a plain one to everything that is not a page: other origins,
 * and files of this one (`/llms.txt`, `/docs/cache/overview.md`).
 */
export function SiteLink({ to, ...rest }: SiteLinkProps) {
  const isPage = to.startsWith("/") && !/\.\w+$/.test(to.split(/[?#]/, 1)[0] ?? "");
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content comes with the other props
  if (!isPage) return <a href={to} {...rest} />;
  return <Link to={to} prefetch="intent" {...rest} />;
}
