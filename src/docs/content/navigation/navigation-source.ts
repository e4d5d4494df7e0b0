/** The content of `content/navigation.yaml`, before its links have labels. */
import * as z from "zod";
import type { Page } from "../types.ts";

export interface LinkSource {
  to: string;
  label?: string | undefined;
  end: boolean;
  links: LinkSource[];
  more: string[];
}

const path = z.string().regex(/^\/docs(\/[a-z0-9-]+)*$/, "must be a page's path, like /docs/cache/overview");

const linkSchema: z.ZodType<LinkSource> = z.strictObject({
  to: path,
  label: z.string().min(1).optional(),
  end: z.boolean().default(false),
  links: z.lazy(() => z.array(linkSchema)).default([]),
  more: z.array(path).default([]),
});

export const navigationSchema = z.strictObject({
  top: z.array(linkSchema),
  sections: z.array(
    z.strictObject({
      name: z.string().min(1),
      icon: z.string().regex(/^[a-z0-9-]+$/, "must be the name of a Lucide icon, like layers"),
      links: z.array(linkSchema),
      subSections: z
        .array(
          z.strictObject({
            name: z.string().min(1),
            links: z.array(linkSchema).default([]),
            /** A folder, whose pages follow the links in the order of their labels: no one names them. */
            all: path.optional(),
          }),
        )
        .default([]),
    }),
  ),
});

export type NavigationSource = z.infer<typeof navigationSchema>;

export type NamedPage = Pick<Page, "path" | "file" | "navTitle" | "availability">;

/** The tree with a link for each page of the folders that `all` names. */
export function linkFolders(source: NavigationSource, pages: readonly NamedPage[]): NavigationSource {
  const linksOf = (folder: string): LinkSource[] =>
    pages
      .filter(({ path }) => path.startsWith(`${folder}/`) && !path.includes("/", folder.length + 1))
      .toSorted((one, other) => one.navTitle.localeCompare(other.navTitle, "en"))
      .map(({ path }) => ({ to: path, end: false, links: [], more: [] }));
  const sections = source.sections.map((section) => ({
    ...section,
    subSections: section.subSections.map((sub) =>
      sub.all === undefined ? sub : { ...sub, links: [...sub.links, ...linksOf(sub.all)] },
    ),
  }));
  return { ...source, sections };
}

/** All links of a section, without their sub-links. */
export function sectionLinks<Link>(section: { links: Link[]; subSections: { links: Link[] }[] }): Link[] {
  return [...section.links, ...section.subSections.flatMap(({ links }) => links)];
}
