import { Hono } from "hono";
import * as z from "zod";
import { checkMail } from "../../contract/check-input.ts";
import { MAX_MAIL_LENGTH } from "../../contract/limits.ts";
import { Refused } from "../../contract/refused.ts";
import { deleteCookie } from "../browser/cookies.ts";
import { type RequestGuard, readBody } from "../request-guard.ts";
import { readBrowser, sendEntered } from "../enter.ts";
import { findKnownBrowser } from "../browser/known-browser.ts";
import { createMailLimits } from "../mail/mail-limits.ts";
import { MAIL_LINK_LIFETIME_MS, type MailLinks } from "../mail/mail-links.ts";
import { safeNext } from "../safe-next.ts";

const askSchema = z.strictObject({
  mail: z.string().max(MAX_MAIL_LENGTH * 2),
  next: z.string().optional(),
});
const emptySchema = z.strictObject({});
/** Suggested to people; earlier requests are answered as well. */
const RESEND_AFTER_SECONDS = 60;

/** `/auth/mail…` */
export function createMailRoutes(guard: RequestGuard, mailLinks: MailLinks | null, sentBy: string): Hono {
  const { accounts } = guard;
  const limits = createMailLimits(guard);
  const app = new Hono();

  app.post("/auth/mail", async (context) => {
    const body = await readBody(guard, context, askSchema);
    const mail = checkMail(body.mail);
    const links = requireMail(mailLinks);
    const user = await guard.readUser(context);
    const browser = user?.mail === mail ? user.userId : await findKnownBrowser(context, accounts, mail);
    await limits.admit(context, mail, browser);
    links.ask(context, { mail, next: safeNext(body.next), user });
    const now = accounts.clock();
    return context.json({
      sent_at: new Date(now).toISOString(),
      expires_at: new Date(now + MAIL_LINK_LIFETIME_MS).toISOString(),
      resend_after_seconds: RESEND_AFTER_SECONDS,
      sent_by: sentBy,
    });
  });

  app.post("/auth/mail/:key", async (context) => {
    await readBody(guard, context, emptySchema);
    const key = context.req.param("key");
    const from = readBrowser(guard, context);
    const { next, entered } = await guard.lookUp(context, { limit: "link", secret: key }, () =>
      requireMail(mailLinks).use(context, key, from),
    );
    deleteCookie(context, accounts, "mail");
    return context.json({ next: sendEntered(context, accounts, entered, next) });
  });
  return app;
}

function requireMail(mailLinks: MailLinks | null): MailLinks {
  if (mailLinks) return mailLinks;
  throw new Refused(
    "failed_precondition",
    "this server cannot send mail; an operator can set MILLRACE_SMTP_URL",
  );
}
