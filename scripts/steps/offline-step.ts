import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build as bundle } from "rolldown";
import { siteConfig } from "#config";
import { buildTime } from "#docs/build-time.ts";
import { readContent } from "#docs/content/built-content.ts";
import type { Redirect } from "#docs/content/navigation/redirects.ts";
import { BUILT_ADDRESS } from "#docs/address/site-address.ts";
import {
  addressOf,
  INDEX_PATH,
  INFO_PATH,
  MISSING_PATH,
  type PackedFile,
  type PackInfo,
  SCOPE,
  WORKER_PATH,
  writePack,
} from "#offline/index.ts";
import { securityHeaders } from "#platform/http/security-headers.ts";
import { typeOf } from "#platform/http/static-files.ts";
import { type BuildFolders, root } from "#server/pages/build-folders.ts";
import { loadServerBuild } from "#server/pages/load-server-build.ts";
import { createRedirects } from "#site/.server/redirects.ts";
import { pagePolicy } from "#site/.server/site-handler.ts";
import { SUGGESTIONS_PLACE } from "#site/docs/suggestions-place.ts";
import { compressFolder } from "./compress.ts";
import { findAssets } from "./offline-assets.ts";
import { replaceFolder } from "./replace-folder.ts";

const brotli = promisify(brotliCompress);

/**
 * Quality 11 makes the file 12 % smaller but takes twenty seconds instead of two, after each change of a page. The window covers
 * all pages: their shared parts are stored once.
 */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };

/** Suffixes of a page's address: none, its data, its text. */
const FORMS = ["", ".data", ".md"];

/** The offline copy as one file, its description, and the worker that answers from it. */
export async function buildOffline(folders: BuildFolders): Promise<string> {
  const { pages, redirects } = await readContent(folders.content);
  const policy = pagePolicy(await loadServerBuild(folders, `?${Date.now()}`));
  const documents = await readDocuments(
    folders,
    pages.map(({ path }) => path),
    policy,
  );
  const assets = await findAssets(join(folders.site, "client"), documents);
  const index = await readFile(join(folders.search, "docs.index"));
  const bytes = writePack({
    // The origin matters only for requests that a browser sends to the network itself.
    headers: securityHeaders(""),
    files: [
      ...documents,
      { path: INDEX_PATH, type: typeOf("index"), body: index },
      ...assets,
      ...moved(redirects),
    ],
  });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const version = sha256.slice(0, 12);
  const packed = await brotli(bytes, {
    params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  const info: PackInfo = {
    version,
    address: addressOf(version),
    sha256,
    bytes: packed.length,
    unpackedBytes: bytes.length,
    pages: pages.length,
    made: buildTime().toISOString(),
  };
  await replaceFolder(folders.offline, async (next) => {
    await mkdir(join(next, "assets"));
    await writeFile(join(next, WORKER_PATH), await bundleWorker(info));
    await writeFile(join(next, INFO_PATH), JSON.stringify(info));
    await compressFolder(next);
    await writeFile(join(next, info.address), packed);
  });
  return `${pages.length} pages and ${assets.length} files, ${Math.round(packed.length / 1024)} KB`;
}

/** Every page as HTML, as data and as Markdown, files that pages fetch later, and the "not found" page. */
async function readDocuments(folders: BuildFolders, paths: string[], policy: string): Promise<PackedFile[]> {
  const read = async (path: string, form: string): Promise<PackedFile> => {
    const extension = form || ".html";
    return {
      path: path + form,
      type: typeOf(extension),
      body: await readFile(join(folders.pages, `${path.slice(1)}${extension}`)),
      ...(form === "" && { headers: { "Content-Security-Policy": policy } }),
    };
  };
  // The forms of one page compress best when they are adjacent.
  const files = await Promise.all(paths.flatMap((path) => FORMS.map((form) => read(path, form))));
  const lists = (await readdir(join(folders.pages, SCOPE), { recursive: true })).filter((name) =>
    name.endsWith(".json"),
  );
  const json = await Promise.all(
    lists.toSorted().map((name) => read(`${SCOPE}/${name.replace(/\.json$/, "")}`, ".json")),
  );
  const [page, data] = await Promise.all([read(MISSING_PATH, ""), read(MISSING_PATH, ".data")]);
  const text = Buffer.from(page.body).toString().replaceAll(SUGGESTIONS_PLACE, "");
  return [
    ...files,
    ...json,
    { ...page, body: Buffer.from(text), status: 404 },
    // The router reads a response with this status only with this header.
    { ...data, status: 404, headers: { "X-Remix-Response": "yes" } },
  ];
}

/** The old addresses of moved pages, with the server's redirects. */
function moved(redirects: readonly Redirect[]): PackedFile[] {
  const answer = createRedirects(redirects);
  const old = redirects.filter(({ from }) => from.startsWith(`${SCOPE}/`));
  return old
    .flatMap(({ from }) => FORMS.map((form) => from + form))
    .flatMap((path) => {
      const Location = answer(new Request(BUILT_ADDRESS.origin + path))?.headers.get("Location");
      if (!Location) return [];
      return [{ path, type: typeOf(".txt"), status: 308, headers: { Location }, body: new Uint8Array() }];
    });
}

/** The worker trusts only this description. */
async function bundleWorker(info: PackInfo): Promise<string> {
  const { output } = await bundle({
    input: join(root, "src/offline/worker.ts"),
    cwd: root,
    write: false,
    platform: "browser",
    transform: {
      target: "es2022",
      define: {
        __INDEX_NAME__: JSON.stringify(siteConfig.search.indexName),
        __PACK_INFO__: JSON.stringify(JSON.stringify(info)),
      },
    },
    output: { format: "iife", minify: true },
  });
  const [{ code, imports }] = output;
  if (imports.length > 0) throw new Error(`The offline copy's worker would import ${imports.join(", ")}.`);
  return code;
}
