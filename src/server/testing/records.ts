/** For tests: the rooms with records, without the site's pages. */
import type { Hono } from "hono";
import { accountRoom } from "#accounts/index.ts";
import { apiRoom } from "#api/index.ts";
import { buildRoom } from "#builds/index.ts";
import { cacheRoom } from "#cache/index.ts";
import { openOrClose } from "#platform/house/open-or-close.ts";
import { emptyHouse } from "#platform/house/plan.ts";
import { registryRoom } from "#registry/index.ts";
import { createEdge } from "../edge.ts";
import type { Environment } from "../environment.ts";
import type { Ground } from "../ground.ts";
import { type OpenHouseOptions, openGround } from "../open-house.ts";

const pages = () => Promise.resolve({ cliVersion: "0.0.0" });

const records = emptyHouse<Ground & { pages: () => Promise<{ cliVersion: string }> }>()
  .room(accountRoom)
  .room(cacheRoom)
  .room(registryRoom)
  .room(buildRoom)
  .room(apiRoom);

export const openRecordRooms = (env: Environment, options: Omit<OpenHouseOptions, "loadPages">) =>
  openOrClose(async (opened) => {
    const { ground, disk } = await openGround(env, options, opened);
    const { rooms, given } = await records.open({ ...ground, pages }, env, opened);
    disk.endStart();
    const edge = createEdge({ rateLimitFactor: 0 });
    /** The application of a part: `api`. */
    const app = (part: string): Hono => {
      const mount = rooms.flatMap(({ mounts }) => mounts).find((each) => each.part === part);
      if (!mount) throw new Error(`No room has the part ${part}.`);
      return mount.serve(edge, (request) => app("api").fetch(request));
    };
    return { rooms: [disk.room, ...rooms], ...given, app, api: app("api"), close: opened.close };
  });
