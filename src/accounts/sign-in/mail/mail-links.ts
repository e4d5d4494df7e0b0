/**
 * Signing in with a link by mail.
 *
 *   POST /auth/mail { mail } ─► the same answer for everyone, immediately; the rest happens in the background
 *        └─ cookie: the browser's key and the address, signed ──┐
 *   mail with /app/mail/:key ─► POST /auth/mail/:key { } ───────┴─► signed in, in this browser only
 *
 * The link is bound to the browser that asked: someone who tricks a person into opening a link, or reads the mail on another
 * machine, gets nothing. The hash that binds link and browser covers the address too, so that using a link proves that
 * address and no other.
 */
import type { Context } from "hono";
import * as z from "zod";
import { inTransaction } from "#platform/database/database.ts";
import type { Accounts } from "../../contract/accounts.ts";
import type { UserActor } from "../../contract/actor.ts";
import { changeRecords } from "../../changes/change-records.ts";
import { randomKey } from "../../contract/ids.ts";
import { Refused } from "../../contract/refused.ts";
import { hashSecret } from "../../contract/token-text.ts";
import { proveMail } from "../../people/users.ts";
import { findCookie, setCookie } from "../browser/cookies.ts";
import { enter, type Entered, type EnteringBrowser } from "../enter.ts";
import { consumeLink, makeLink, requireLink } from "./links.ts";
import { readState, signState } from "../browser/signed-state.ts";

export const MAIL_LINK_LIFETIME_MS = 15 * 60_000;
const BROWSER_KEY_LENGTH = 32;

const carriedSchema = z.object({ key: z.string(), mail: z.string(), next: z.string() });
type Carried = z.infer<typeof carriedSchema>;

export interface MailLinks {
  /** Sends a link to the person with this address, in the background. */
  ask: (context: Context, request: { mail: string; next: string; user: UserActor | null }) => void;
  /** Sends a new person a link that proves their address. */
  prove: (context: Context, person: { userId: string; mail: string }) => void;
  /** @throws Refused */
  use: (context: Context, key: string, from: EnteringBrowser) => Promise<{ next: string; entered: Entered }>;
}

export function createMailLinks(accounts: Accounts, sendMail: NonNullable<Accounts["sendMail"]>): MailLinks {
  function carry(context: Context, { mail, next }: Omit<Carried, "key">): Carried {
    const former = readCarried(context);
    const key = former?.mail === mail ? former.key : randomKey(BROWSER_KEY_LENGTH, accounts.randomBytes);
    const data: Carried = { key, mail, next };
    const value = signState(accounts, "mail", { data, lifetimeMs: MAIL_LINK_LIFETIME_MS });
    setCookie(context, accounts, { use: "mail", value, maxAgeSeconds: MAIL_LINK_LIFETIME_MS / 1000 });
    return data;
  }

  function readCarried(context: Context): Carried | null {
    const text = findCookie(context, accounts, "mail") ?? "";
    return readState(accounts, "mail", { text, schema: carriedSchema });
  }

  function startSending(carried: Carried, find: () => Promise<string | null>): void {
    sendLink(accounts, { carried, find, sendMail }).catch((error: unknown) =>
      accounts.log.warn("A sign-in link could not be sent by mail.", { error }),
    );
  }

  return {
    ask(context, { mail, next, user }) {
      startSending(carry(context, { mail, next }), () => findPerson(accounts, mail, user));
    },
    prove(context, { userId, mail }) {
      startSending(carry(context, { mail, next: "/app" }), async () => userId);
    },
    async use(context, key, from) {
      const link = await requireLink(accounts, key, ["mail"]);
      const carried = readCarried(context);
      if (!carried || link.browserHash !== bind(carried) || link.userId === null)
        throw new Refused("failed_precondition", "open this link in the browser that requested it");
      const { userId, hash } = { ...link, userId: link.userId };
      const user = await accounts.db
        .selectFrom("users")
        .selectAll()
        .where("id", "=", userId)
        .executeTakeFirst();
      // The address has changed since: its former owner does not get in.
      if (user?.mail !== carried.mail)
        throw new Refused("failed_precondition", "this address no longer belongs to the account");
      const author = { name: user.name, id: userId, address: from.address };
      const entered = await changeRecords(accounts, author, async (change) => {
        await consumeLink(accounts, change.transaction, { hash, address: from.address });
        if (user.mail_verified_at === null) {
          await proveMail(accounts, change.transaction, { userId, mail: carried.mail });
          const target = { target: user.name, targetId: userId, details: { mail: carried.mail } };
          await change.audit({ action: "mail.verify", organizationId: null, ...target });
        }
        return enter(accounts, change, { entry: { userId, name: user.name, method: "mail" }, from });
      });
      return { next: carried.next, entered };
    },
  };
}

const bind = ({ key, mail }: Carried) => hashSecret(`${key} ${mail}`);

/** The person with this address: proved, or the caller's own address that is not proved yet. */
async function findPerson(accounts: Accounts, mail: string, user: UserActor | null): Promise<string | null> {
  const row = await accounts.db
    .selectFrom("users")
    .select(["id", "mail_verified_at"])
    .where("mail", "=", mail)
    .executeTakeFirst();
  return row && (row.mail_verified_at !== null || row.id === user?.userId) ? row.id : null;
}

interface Sending {
  carried: Carried;
  find: () => Promise<string | null>;
  sendMail: NonNullable<Accounts["sendMail"]>;
}

async function sendLink(accounts: Accounts, { carried, find, sendMail }: Sending): Promise<void> {
  const userId = await find();
  if (userId === null) return;
  const link = await inTransaction(accounts.database, (transaction) =>
    makeLink(accounts, transaction, {
      kind: "mail",
      userId,
      browserHash: bind(carried),
      lifetimeMs: MAIL_LINK_LIFETIME_MS,
    }),
  );
  await sendMail({ to: carried.mail, ...letterOf(accounts.origin, link.key) });
}

function letterOf(origin: string, key: string): { subject: string; text: string } {
  const { host } = new URL(origin);
  return {
    subject: `Sign in to Millrace on ${host}`,
    text: [
      `Open this link in the browser that you requested it from:`,
      `${origin}/app/mail/${key}`,
      `It works once and expires after ${MAIL_LINK_LIFETIME_MS / 60_000} minutes.`,
      "If you did not request it, ignore this mail. The link does not work in any other browser.",
    ].join("\n\n"),
  };
}
