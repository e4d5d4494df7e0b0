import { type Context, Hono } from "hono";
import * as z from "zod";
import type { DiskWatch } from "#platform/files/disk-space.ts";
import { isOperator, type UserActor } from "../../contract/actor.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { DAY_MS, SIGN_IN_IDLE_MS, SIGN_IN_LIFETIME_MS } from "../../contract/limits.ts";
import { readPageCursor } from "../../events/page-cursor.ts";
import { endSignIn, signInEnd } from "../../people/sign-ins.ts";
import { deleteCookie, findCookie, setReaderCookie } from "../browser/cookies.ts";
import { type RequestGuard, readBody } from "../request-guard.ts";
import { sendSession } from "../enter.ts";

export interface SignInMethods {
  passkey: boolean;
  /** The provider's name. */
  oidc: string | null;
  github: boolean;
  mail: boolean;
}

/** The state of the server's disk. */
export type DiskState = Pick<DiskWatch, "level" | "space">;

/** `/auth/state`, `/auth/sign-out` */
export function createSessionRoutes(guard: RequestGuard, methods: SignInMethods, disk?: DiskState): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.get("/auth/state", async (context) => {
    // Read before anything else: later changes are in the stream that begins here.
    const cursor = findCookie(context, accounts, "session") ? await readPageCursor(accounts) : null;
    const user = await guard.readUser(context);
    if (user) await prolong(context, user);
    const { version, origin, namesReader } = accounts;
    return context.json({
      version,
      host: new URL(origin).host,
      origin,
      methods,
      user: user && describeUser(user),
      ...(!namesReader && { names_reader: false }),
      // Numbers count the events of all organizations: they are for callers who may read a stream, which reveals the same.
      event_cursor: user && user.memberships.length > 0 ? cursor : null,
      ...(user && disk && disk.level !== "roomy" && { disk: describeDisk(user, disk) }),
    });
  });

  app.post("/auth/sign-out", async (context) => {
    await readBody(guard, context, z.strictObject({}));
    const actor = await guard.readUser(context);
    if (actor?.signInId) {
      const { signInId } = actor;
      await endSignIn(accounts, { actor, address: guard.addressOf(context) }, { signInId });
    }
    deleteCookie(context, accounts, "session");
    setReaderCookie(context, accounts, 0);
    return context.json({});
  });

  /** A person who returns stays signed in: the idle time starts again, written once a day, until the absolute end. */
  async function prolong(context: Context, { userId, signInId, expiresAt }: UserActor): Promise<void> {
    const cookie = findCookie(context, accounts, "session");
    if (!cookie || signInId === null || expiresAt === null) return;
    const now = accounts.clock();
    const end =
      expiresAt - now > SIGN_IN_IDLE_MS - DAY_MS ? 0 : await askDatabase(() => moveEnd(signInId, now));
    const maxAgeSeconds = Math.ceil((Math.max(end, expiresAt) - now) / 1000);
    if (end <= expiresAt) {
      // Each time, because the browser does not send it to this address: also for those who signed in before it existed.
      if (accounts.namesReader) setReaderCookie(context, accounts, maxAgeSeconds);
      return;
    }
    accounts.cache.forget(new Set([signInId]));
    sendSession(context, accounts, { userId, cookie, maxAgeSeconds });
  }

  /** @returns the new end */
  async function moveEnd(signInId: string, now: number): Promise<number> {
    const row = await accounts.db
      .selectFrom("sign_ins")
      .select(["created_at", "expires_at"])
      .where("id", "=", signInId)
      .executeTakeFirst();
    if (!row) return 0;
    const end = Math.min(now + SIGN_IN_IDLE_MS, row.created_at + SIGN_IN_LIFETIME_MS);
    if (end <= row.expires_at) return signInEnd(row);
    await accounts.db.updateTable("sign_ins").set({ expires_at: end }).where("id", "=", signInId).execute();
    return end;
  }
  return app;
}

/** Owners see it, because uploads of their builds are refused; only operators can fix it, and see how much is left. */
function describeDisk(user: UserActor, { level, space }: DiskState): object | undefined {
  if (isOperator(user)) return { level, free_bytes: space.freeBytes, total_bytes: space.totalBytes };
  return user.memberships.some(({ role }) => role === "owner") ? { level } : undefined;
}

function describeUser(user: UserActor): object {
  return {
    id: user.userId,
    name: user.name,
    mail: user.mail,
    organizations: user.memberships.map((membership) => {
      const { organizationId: id, organization: name, role } = membership;
      return { id, name, role };
    }),
    is_operator: isOperator(user),
  };
}
