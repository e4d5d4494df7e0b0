/** The content of `content/navigation.yaml`, before its links have labels. */
import * as z from "zod";
import type { Page } from "./types.ts";

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
        .array(z.strictObject({ name: z.string().min(1), links: z.array(linkSchema) }))
        .default([]),
    }),
  ),
});

export type NavigationSource = z.infer<typeof navigationSchema>;

export type NamedPage = Pick<Page, "path" | "file" | "navTitle" | "availability">;

/** All links of a section, without their sub-links. */
export function sectionLinks<Link>(section: { links: Link[]; subSections: { links: Link[] }[] }): Link[] {
  return [...section.links, ...section.subSections.flatMap(({ links }) => links)];
}
