/** The part of Docker Hub that the pages need, on this machine, for servers in rooms. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDockerHub } from "../../clients/pages/docker-hub.ts";
import { writeStandIns } from "../../clients/pages/stand-in-images.ts";
import { MACHINE } from "./lan.ts";

export interface Hub {
  /** Settings of a server, which then finds the images here. */
  settings: { MILLRACE_MIRROR_HOSTS: string };
  close: () => Promise<void>;
}

/** @returns null, with a message, where the images cannot be made */
export async function startHub(): Promise<Hub | null> {
  const folder = mkdtempSync(join(tmpdir(), "hub-"));
  const images = await writeStandIns(join(folder, "images"));
  if (images === null) return null;
  const hub = await startDockerHub(join(folder, "small"), images);
  return {
    settings: { MILLRACE_MIRROR_HOSTS: `docker.io=http://${MACHINE}:${new URL(hub.origin).port}` },
    async close() {
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
