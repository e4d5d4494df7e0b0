/**
 * Limits the links that are sent to one address. Links that strangers request must neither fill a mailbox nor use up what its
 * owner needs: each costs more work than the last, and a browser in which the owner has signed in does not wait in their
 * queue.
 */
import type { Context } from "hono";
import { networkKeys } from "#platform/http/addresses/client-address.ts";
import { createCount } from "../admission/counts.ts";
import { tooMany } from "../admission/admission.ts";
import type { RequestGuard } from "../request-guard.ts";
import { BASE_BITS, MAX_BITS } from "../admission/work.ts";

/** Per address and hour. */
const MAILS_PER_HOUR = {
  /** For strangers, before each further link takes twice the work of the previous one. */
  free: 3,
  strangers: 20,
  /** For strangers in one network. */
  network: 6,
  /** For each browser in which the owner has signed in. */
  browser: 10,
} as const;
const HOUR_MINUTES = 60;

export interface MailLimits {
  /**
   * @param browser in which the address's owner is or was signed in; null: a stranger's
   * @throws WorkAsked, Refused `resource_exhausted`: the same for addresses that no one here has
   */
  admit: (context: Context, mail: string, browser: string | null) => Promise<void>;
}

export function createMailLimits({ accounts, admitByWork, shared, addressOf }: RequestGuard): MailLimits {
  const countOf = (kind: Exclude<keyof typeof MAILS_PER_HOUR, "free">) =>
    createCount(accounts, {
      name: `mail ${kind}`,
      perMinute: MAILS_PER_HOUR[kind] / HOUR_MINUTES,
      burst: MAILS_PER_HOUR[kind],
      shared,
    });
  const [browsers, networks, strangers] = [countOf("browser"), countOf("network"), countOf("strangers")];

  async function findBits(mail: string): Promise<number> {
    const sent = MAILS_PER_HOUR.strangers - (await strangers.left(mail));
    return sent < MAILS_PER_HOUR.free ? 0 : Math.min(MAX_BITS, BASE_BITS + sent - MAILS_PER_HOUR.free);
  }

  return {
    async admit(context, mail, browser) {
      if (browser !== null && (await browsers.take(`${browser} ${mail}`)) === 0) return;
      await admitByWork(context, "mail", () => findBits(mail));
      const network = networkKeys(addressOf(context)).at(-1);
      const wait = (await networks.take(`${network} ${mail}`)) || (await strangers.take(mail));
      if (wait > 0) throw tooMany(context, wait);
    },
  };
}
