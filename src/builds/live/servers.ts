/** The servers of this installation that run builds. Each says every ten seconds that it lives, and with it its builds. */
import { askDatabase } from "#accounts/index.ts";
import { createClockSteps } from "#platform/database/clock-steps.ts";
import { HOLDER_LEASE_MS, HOLDER_RENEW_MS } from "../limits.ts";
import type { BuildParts } from "../parts.ts";
import type { BuildDatabase } from "../schema.ts";

export interface Server {
  /** The process, unlike any other. */
  holder: string;
  /** The same after a restart: whose disk has the layer caches. */
  server: string;
  /** `10.0.1.11:3000`, for the other servers; "": they do not reach it. */
  address: string;
}

export interface OtherServer extends Server {
  /** Milliseconds since 1970, when it last said that it lives. */
  heardAt: number;
  /** What it has said of its machine; null: nothing. */
  about: string | null;
}

export interface Servers {
  /** Says that this one lives, when it is time to. Called right after a look at the database's clock. */
  renew: () => Promise<void>;
  isAlive: (holder: string) => Promise<boolean>;
  /** All that live. */
  list: () => Promise<Server[]>;
  others: () => Promise<OtherServer[]>;
  /** Where the builder of a project and platform is, so that all of its builds share one layer cache; from now on, if nowhere. */
  findHome: (projectId: string, platform: string) => Promise<Server>;
  setHome: (projectId: string, platform: string, server: string) => Promise<void>;
  leave: () => Promise<void>;
}

interface Said {
  address: () => string;
  /** Of its machine; null: it does not know yet. */
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
  // One that starts may be the first to see that the clock was set.
  const sinceStep = createClockSteps({ clock, elapsed, setAt: elapsed() });
  const isSettled = () => sinceStep() >= HOLDER_LEASE_MS;
  const others = async (): Promise<OtherServer[]> => {
    // Only one process at a time has the file.
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
      // Of this server before it was started again.
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

/** Processes that have ended without leaving, also when the clock was ahead. @param now right after a look at the clock */
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
