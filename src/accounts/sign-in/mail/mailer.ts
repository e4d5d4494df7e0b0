/** Sends mails through the operator's SMTP server. */
import { escapeXml } from "#platform/text/escape-xml.ts";
import type { Mail } from "../../contract/accounts.ts";

/** For a connection, its greeting, and each answer. */
const TIMEOUT_MS = 15_000;
const MAX_CONNECTIONS = 4;
/** More mails at the same time are a flood, not people who sign in. */
const MAX_WAITING = 200;

export interface MailerOptions {
  /** `smtps://user:password@smtp.acme.example`, `smtp://localhost:1025` */
  smtpUrl: string;
  /** `Millrace <millrace@acme.example>` */
  from: string;
  timeoutMs?: number;
}

export interface Mailer {
  /** The server's host, which people see: "sent by smtp.acme.example". */
  sentBy: string;
  /** @throws Error when the server did not accept the mail; the message has no password */
  sendMail: (mail: Mail) => Promise<void>;
  close: () => Promise<void>;
}

export function createMailer({ smtpUrl, from, timeoutMs = TIMEOUT_MS }: MailerOptions): Mailer {
  const { hostname } = new URL(smtpUrl);
  const open = async () => {
    // 24 MB, loaded for the first mail.
    const { createTransport } = await import("nodemailer");
    return createTransport(
      {
        url: smtpUrl,
        pool: true,
        maxConnections: MAX_CONNECTIONS,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        // A mail's text never makes the server read a file or an address.
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    );
  };
  let opened: ReturnType<typeof open> | null = null;
  let waiting = 0;
  return {
    sentBy: hostname,
    async sendMail({ to, subject, text }) {
      if (waiting >= MAX_WAITING)
        throw new Error(`${MAX_WAITING} mails are already waiting for ${hostname}.`);
      waiting += 1;
      try {
        const transport = await (opened ??= open());
        // An object, so that no part of the address is read as a second address.
        await transport.sendMail({ to: { name: "", address: to }, subject, text, html: htmlOf(text) });
      } catch (cause) {
        // The library's own message may quote the server's answer, which is for the operator.
        throw new Error(`${hostname} did not accept the mail.`, { cause });
      } finally {
        waiting -= 1;
      }
    },
    close: async () => (await opened)?.close(),
  };
}

/** The same paragraphs, with clickable links and no loaded content. */
function htmlOf(text: string): string {
  const linked = escapeXml(text).replace(
    /\bhttps?:\/\/[^\s<]{1,2000}/g,
    (url) => `<a href="${url}">${url}</a>`,
  );
  const paragraphs = linked.split(/\n{2,}/).map((part) => `<p>${part.replaceAll("\n", "<br>")}</p>`);
  return `<!doctype html><html lang="en"><body style="font-family:sans-serif">${paragraphs.join("")}</body></html>`;
}
