import type { ComponentProps } from "react";
import { Link, useLocation } from "react-router";

type SiteLinkProps = Omit<ComponentProps<"a">, "href"> & { to: string };

/**
 * A link to a page of the same area, prefetched on intent and followed on the client; a plain link to
 * everything else: between the documentation and other areas (its tree is part of the document), other
 * origins, and files (`/llms.txt`, `/docs/cache/overview.md`).
 */
export function SiteLink({ to, ...rest }: SiteLinkProps) {
  const { pathname } = useLocation();
  const path = to.split(/[?#]/, 1)[0] ?? "";
  const isPage = isDocs(path) && isDocs(pathname) && !/\.\w+$/.test(path);
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content comes with the other props
  if (!isPage) return <a href={to} {...rest} />;
  return <Link to={to} prefetch="intent" discover="none" {...rest} />;
}

export const isDocs = (path: string): boolean => /^\/docs\b/.test(path);

/** The language of a page of a translation: `/de/docs/faq` → `de`. */
export const languageOf = (path: string): string | undefined => /^\/(\w+)\/docs\b/.exec(path)?.[1];
