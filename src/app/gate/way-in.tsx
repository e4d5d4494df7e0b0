/** Why people cannot sign in here, and what helps: for the operator, or for those who must ask the operator. */
import type { AuthState } from "../data/answers.ts";
import { hasPasskeys } from "./passkey.ts";

/** Whether the page was opened at an address other than the server's own. */
export const isElsewhere = (origin = location.origin) => location.origin !== origin;

/** Passkeys, like everything in a sign-in, belong to the server's own address. */
export const canUsePasskeys = ({ methods, origin }: AuthState) =>
  methods.passkey && hasPasskeys() && !isElsewhere(origin);

/** @returns a sentence, when `canUsePasskeys` is false */
export function whyNoPasskeys({ methods, origin }: AuthState): string {
  if (isElsewhere(origin)) return "Passkeys work only at the server’s own address, which this is not.";
  if (!window.isSecureContext) return "Browsers offer passkeys only on https and on localhost.";
  if (!methods.passkey) return "Browsers offer passkeys only for names, and this is an IP address.";
  return "This browser has no passkeys.";
}

/** For the operator: each way with its requirements. */
export function WaysIn() {
  return (
    <>
      <ul>
        <li>
          <a className="text-link" href="/docs/managed/overview/tls">
            TLS here
          </a>
          : <code>TLS_CERT</code>, one file with the certificate and its key, and <code>SITE_ORIGIN</code>.
        </li>
        <li>
          <a className="text-link" href="/docs/managed/overview/proxy">
            A proxy that ends TLS
          </a>
          , and <code>SITE_ORIGIN</code>.
        </li>
        <li>
          <a className="text-link" href="/docs/security#how-people-sign-in">
            Links by mail
          </a>
          : <code>MILLRACE_SMTP_URL</code> and <code>MILLRACE_MAIL_FROM</code>.
        </li>
      </ul>
      <code className="command">npm start -- owner-link</code> on the server prints a link that signs an owner
      in.
    </>
  );
}
