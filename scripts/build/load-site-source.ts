import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createSiteSource } from "../../src/site/server/create-site-source.ts";
import type { SiteSource } from "../../src/site/site-source.ts";
import { readContent } from "./content-step.ts";
import type { BuildFolders } from "./folders.ts";
import { readImages } from "./images-step.ts";

/** The built content as the routes see it. Without `live` (prerendering) no search and no status can be asked for. */
export async function loadSiteSource(
  folders: BuildFolders,
  origin: string,
  live?: Pick<SiteSource, "search" | "status">,
) {
  const content = await readContent(folders);
  const absent = () => {
    throw new Error("Search and status are answered by a running server only.");
  };
  const source = createSiteSource({
    ...content,
    origin,
    spriteUrl: await findSpriteUrl(folders),
    images: await readImages(folders),
    search: live?.search ?? absent,
    status: live?.status ?? absent,
  });
  return { source, content };
}

async function findSpriteUrl(folders: BuildFolders): Promise<string> {
  const assets = await readdir(join(folders.site, "client", "assets"));
  const name = assets.find((file) => /^icons-\w+\.svg$/.test(file));
  if (!name) throw new Error("The built site has no icon sprite.");
  return `/assets/${name}`;
}
