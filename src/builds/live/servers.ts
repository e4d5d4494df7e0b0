/** The servers of this installation that run builds. Each reports every ten seconds that it is alive, and so are its builds. */
import { askDatabase } from "#accounts/index.ts";
import { createClockSteps } from "#platform/database/clock-steps.ts";
import { HOLDER_LEASE_MS, HOLDER_RENEW_MS } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildDatabase } from "../tables/schema.ts";

export interface Server {
  /** Identifies the process. */
  holder: string;
  /** The same after a restart: identifies the disk with the layer caches. */
  server: string;
  /** `10.0.1.11:3000`, for the other servers; "": they cannot reach it. */
  address: string;
}

export interface OtherServer extends Server {
  /** When it last reported that it is alive, in milliseconds since 1970. */
  heardAt: number;
  /** Its report about its machine; null: none. */
  about: string | null;
}

export interface Servers {
  /** Reports that this server is alive, when it is due. Called right after the database's clock was read. */
  renew: () => Promise<void>;
  isAlive: (holder: string) => Promise<boolean>;
  /** All living servers. */
  list: () => Promise<Server[]>;
  others: () => Promise<OtherServer[]>;
  /** The server with the builder of a project and platform, so that all its builds share one layer cache; by default, this server. */
  findHome: (projectId: string, platform: string) => Promise<Server>;
  setHome: (projectId: string, platform: string, server: string) => Promise<void>;
  leave: () => Promise<void>;
}

interface Said {
  address: () => string;
  /** The report about its machine; null: not known yet. */
  about: () => string | null;
}

export function createServers(
  {
    database,
    clock,
    elapsed,
    holder,
    server,
  }: Pick<BuildParts, "database" | "clock" | "elapsed" | "holder" | "server">,
  { address, about }: Said,
): Servers {
  const { db } = database;
  const own = (): Server => ({ holder, server, address: address() });
  let renewedAt = Number.NEGATIVE_INFINITY;
  // A starting server may be the first to notice that the clock was set.
  const sinceStep = createClockSteps({ clock, elapsed, setAt: elapsed() });
  const isSettled = () => sinceStep() >= HOLDER_LEASE_MS;
  const others = async (): Promise<OtherServer[]> => {
    // Only one process at a time uses the file.
    if (database.kind === "sqlite") return [];
    const rows = await askDatabase(() => {
      const all = db.selectFrom("build_servers").selectAll().where("holder", "!=", holder);
      return (isSettled() ? all.where("expires_at", ">", clock()) : all).execute();
    });
    return rows.map(({ expires_at: expiresAt, ...row }) => ({
      ...row,
      heardAt: expiresAt - HOLDER_LEASE_MS,
    }));
  };
  const list = async (): Promise<Server[]> => [own(), ...(await others())];
  return {
    async renew() {
      const now = clock();
      if (Math.abs(now - renewedAt) < HOLDER_RENEW_MS) return;
      const said = { expires_at: now + HOLDER_LEASE_MS, about: about() };
      // Rows of this server from before its restart.
      await db
        .deleteFrom("build_servers")
        .where("server", "=", server)
        .where("holder", "!=", holder)
        .execute();
      await db
        .insertInto("build_servers")
        .values({ ...own(), ...said })
        .onConflict((conflict) => conflict.column("holder").doUpdateSet(said))
        .execute();
      if (isSettled()) await forgetEnded(database, now);
      renewedAt = now;
    },
    isAlive: async (wanted) => (await list()).some((each) => each.holder === wanted),
    list,
    others,
    async findHome(projectId, platform) {
      const home = await readHome(db, projectId, platform);
      const found = (await list()).find((each) => each.server === home);
      if (!found) await setHome(db, { projectId, platform, server });
      return found ?? own();
    },
    setHome: (projectId, platform, home) => setHome(db, { projectId, platform, server: home }),
    async leave() {
      await db.deleteFrom("build_servers").where("holder", "=", holder).execute();
    },
  };
}

/** Removes processes that ended without leaving, even while the clock was ahead. @param now right after the clock was read */
async function forgetEnded({ db }: BuildDatabase, now: number): Promise<void> {
  await db
    .deleteFrom("build_servers")
    .where((row) =>
      row.or([
        row("expires_at", "<", now - HOLDER_LEASE_MS),
        row("expires_at", ">", now + 2 * HOLDER_LEASE_MS),
      ]),
    )
    .execute();
}

async function readHome(db: BuildDatabase["db"], projectId: string, platform: string) {
  const row = await askDatabase(() =>
    db
      .selectFrom("build_homes")
      .select("server")
      .where("project_id", "=", projectId)
      .where("platform", "=", platform)
      .executeTakeFirst(),
  );
  return row?.server ?? null;
}

async function setHome(
  db: BuildDatabase["db"],
  { projectId, platform, server }: { projectId: string; platform: string; server: string },
): Promise<void> {
  await askDatabase(() =>
    db
      .insertInto("build_homes")
      .values({ project_id: projectId, platform, server })
      .onConflict((conflict) => conflict.columns(["project_id", "platform"]).doUpdateSet({ server }))
      .execute(),
  );
}
