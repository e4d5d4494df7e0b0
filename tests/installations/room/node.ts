/** Node.js 24 with its npm as its publisher ships them, for machines whose distribution has an older one. */
import { dirname, join } from "node:path";
import { installFromNpm } from "../../clients/cache/install-tool.ts";
import type { Room } from "./room.ts";

const NPM = "11.21.2";

/** @returns folders for a room; null, with a message, where they cannot be had */
export async function findNode(): Promise<{ node: string; npm: string } | null> {
  const folder = await installFromNpm(`npm-${NPM}`, [`npm@${NPM}`]);
  // The Node.js that runs the tests: complete in one file.
  if (folder === null) return null;
  return { node: dirname(process.execPath), npm: join(folder, "node_modules/npm") };
}

/** Installs it where packages of Node.js do. */
export const installNode = (room: Room) =>
  room.run(`install /mnt/node/node /usr/bin/node
    mkdir -p /usr/lib/node_modules
    cp -r /mnt/npm /usr/lib/node_modules/npm
    for each in npm npx; do ln -s ../lib/node_modules/npm/bin/$each-cli.js /usr/bin/$each; done`);
