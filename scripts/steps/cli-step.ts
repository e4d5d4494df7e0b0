import { BUILT_ADDRESS } from "#docs/address/site-address.ts";
import type { BuildFolders } from "#server/pages/build-folders.ts";
import { packCli } from "../../cli/pack.ts";
import { replaceFolder } from "./replace-folder.ts";

/** The command-line tool and its install scripts, as they are served; the site's address is inserted when they are read. */
export async function buildCli(folders: BuildFolders): Promise<string> {
  let result = "";
  await replaceFolder(folders.cli, async (next) => {
    const { version, bytes } = await packCli(next, BUILT_ADDRESS.origin);
    result = `millrace ${version}, ${Math.round(bytes / 1024)} KB`;
  });
  return result;
}
