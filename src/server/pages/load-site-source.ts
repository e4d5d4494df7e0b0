import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createSiteSource } from "#site/.server/create-site-source.ts";
import type { SiteSource } from "#site/site-source.ts";
import { readContent, readEditions } from "#docs/content/built-content.ts";
import type { BuildFolders } from "./build-folders.ts";
import { readSocialImages } from "#site/.server/social/social-images.ts";

/** The built content, for the routes. Without `live` (prerendering) search and status are not available. */
export async function loadSiteSource(
  folders: BuildFolders,
  origin: string,
  live?: Pick<SiteSource, "search" | "status">,
) {
  const [content, editions] = await Promise.all([
    readContent(folders.content),
    readEditions(folders.content),
  ]);
  const absent = () => {
    throw new Error("Search and status are answered by a running server only.");
  };
  const source = createSiteSource({
    ...content,
    editions,
    origin,
    spriteUrl: await findSpriteUrl(folders),
    images: await readSocialImages(folders.images),
    search: live?.search ?? absent,
    status: live?.status ?? absent,
  });
  return { source, content, editions };
}

async function findSpriteUrl(folders: BuildFolders): Promise<string> {
  const assets = await readdir(join(folders.site, "client", "assets"));
  const name = assets.find((file) => /^icons-\w+\.svg$/.test(file));
  if (!name) throw new Error("The built site has no icon sprite.");
  return `/assets/${name}`;
}
