import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Page → the address (a path) of its social image. */
export type SocialImages = { [path: string]: string };

const FILE = "images.json";

/** @param images empty if none could be drawn: every page then uses the shared image */
export async function writeSocialImages(folder: string, images: SocialImages): Promise<void> {
  await writeFile(join(folder, FILE), JSON.stringify(images));
}

/** The addresses from the last build. */
export async function readSocialImages(folder: string): Promise<SocialImages> {
  // Written by `writeSocialImages`.
  return JSON.parse(await readFile(join(folder, FILE), "utf8")) as SocialImages;
}
