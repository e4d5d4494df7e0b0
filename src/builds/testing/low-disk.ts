/** For tests: builders whose layer caches are on a real disk, without anything removable on it. */
import { join } from "node:path";
import { startTestBuildkitd } from "./buildkitd.ts";
import { makeSpace } from "../machine/disk.ts";
import type { Builders } from "../machine/machine.ts";

/** @param socketFolder on another disk @param folder of the layer caches */
export async function openLowDiskBuilders(builders: Builders, socketFolder: string, folder: string) {
  const socket = join(socketFolder, "buildkitd.sock");
  const { close } = await startTestBuildkitd(socket);
  const open: Builders["open"] = async (want, options) => {
    await makeSpace(socket, folder);
    return builders.open(want, options);
  };
  return { builders: { ...builders, open }, close };
}
