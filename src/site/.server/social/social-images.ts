import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Page → the address (a path) of its social image. */
export type SocialImages = { [path: string]: string };

const FILE = "images.json";

/** @param images empty where none could be drawn: then every page names the image that all share */
export async function writeSocialImages(folder: string, images: SocialImages): Promise<void> {
  await writeFile(join(folder, FILE), JSON.stringify(images));
}

/** The addresses that the last build gave. */
export async function readSocialImages(folder: string): Promise<SocialImages> {
  // Written by `writeSocialImages`.
  return JSON.parse(await readFile(join(folder, FILE), "utf8")) as SocialImages;
}
