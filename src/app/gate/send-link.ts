import type { SentMail } from "../data/answers.ts";
import { sendForm } from "../data/ask-server.ts";
import { safeNext, wantedNext } from "./next-page.ts";

/** The answer is the same for strangers, so that nobody learns who has an account. */
export function sendLink(mail: string): Promise<SentMail> {
  const next = wantedNext();
  return sendForm<SentMail>("/auth/mail", {
    mail,
    ...(next !== null && { next: safeNext(next, location.origin) }),
  });
}
