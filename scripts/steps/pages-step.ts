import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BUILT_ADDRESS } from "#docs/address/site-address.ts";
import { createSiteHandler } from "#site/.server/site-handler.ts";
import { marketingPaths } from "#site/marketing/paths.ts";
import { MISSING_PAGES } from "#site/.server/missing-pages.ts";
import { textFiles } from "#site/.server/text-files.ts";
import { compressFolder } from "./compress.ts";
import type { BuildFolders } from "#server/pages/build-folders.ts";
import { replaceFolder } from "./replace-folder.ts";
import { loadServerBuild } from "#server/pages/load-server-build.ts";
import { loadSiteSource } from "#server/pages/load-site-source.ts";

/** Every page as HTML, as `.data` for client navigations and as Markdown; sitemap, robots.txt, llms.txt. */
export async function buildPages(folders: BuildFolders): Promise<string> {
  const { origin } = BUILT_ADDRESS;
  const { source, content, editions } = await loadSiteSource(folders, origin);
  const serverBuild = await loadServerBuild(folders, `?${Date.now()}`);
  const handle = createSiteHandler(serverBuild, "production", source);
  const docs = content.pages.map((page) => page.path);

  await replaceFolder(folders.pages, async (next) => {
    const write = async (name: string, text: string) => {
      const file = join(next, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    };
    await write("index.html", await render(handle, `${origin}/`));
    await write("_.data", await render(handle, `${origin}/_.data`));
    await write("changelog.xml", await render(handle, `${origin}/changelog.xml`));
    for (const path of [...marketingPaths, ...docs]) {
      await write(`${path.slice(1)}.html`, await render(handle, origin + path));
      await write(`${path.slice(1)}.data`, await render(handle, `${origin}${path}.data`));
    }
    for (const path of MISSING_PAGES) {
      await write(`${path.slice(1)}.html`, await render(handle, origin + path, 404));
      await write(`${path.slice(1)}.data`, await render(handle, `${origin}${path}.data`, 404));
    }
    // Each is a document of its own: nothing asks for its data.
    for (const { path } of editions.flatMap(({ pages }) => pages))
      await write(`${path.slice(1)}.html`, await render(handle, origin + path));
    for (const file of textFiles({ ...content, editions }, origin)) await write(file.name, file.text);
    // Files that contain the address are compressed when it is known.
    await compressFolder(next, (bytes) => !bytes.includes(BUILT_ADDRESS.host));
  });
  return `${docs.length + marketingPaths.length + 1} pages, brotli and gzip`;
}

async function render(
  handle: (request: Request) => Promise<Response>,
  url: string,
  status = 200,
): Promise<string> {
  const response = await handle(new Request(url));
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${url} rendered with status ${response.status}: ${text.slice(0, 300)}`);
  return text;
}
