/** A start's note while people on other machines cannot sign in. */
import { hasPasskeys } from "#accounts/index.ts";
import { isLocalName } from "#platform/text/local-name.ts";
import type { Environment } from "../environment.ts";

type Settings = Pick<
  Environment,
  | "SITE_ORIGIN"
  | "HOST"
  | "TLS_CERT"
  | "MILLRACE_SMTP_URL"
  | "MILLRACE_OIDC_ISSUER"
  | "MILLRACE_GITHUB_CLIENT_ID"
>;

/** @returns null when they can, or when the server listens only to its own machine */
export function describeSignIn(env: Settings): string | null {
  const { SITE_ORIGIN: origin, HOST: host } = env;
  const { hostname, protocol } = new URL(origin);
  if (isLocalName(hostname))
    return isLocalName(host)
      ? null
      : say(
          `the server listens on ${host}, but SITE_ORIGIN, which links and sign-ins use, is ${origin}: on each machine, that is the machine itself.`,
          env,
        );
  const hasOther = env.MILLRACE_SMTP_URL ?? env.MILLRACE_OIDC_ISSUER ?? env.MILLRACE_GITHUB_CLIENT_ID ?? null;
  if (hasOther !== null || hasPasskeys(origin)) return null;
  const reason =
    protocol === "https:"
      ? `browsers support passkeys only for host names, and SITE_ORIGIN is ${origin}.`
      : `browsers support passkeys only on https and on localhost, and SITE_ORIGIN is ${origin}.`;
  return say(reason, env);
}

function say(reason: string, { TLS_CERT }: Settings): string {
  const tls =
    TLS_CERT === undefined
      ? "TLS here: TLS_CERT=<file with certificate and key> SITE_ORIGIN=https://<name>:<port>"
      : "the certificate's name: SITE_ORIGIN=https://<name>:<port>";
  return [
    `  No one on another machine can sign in: ${reason} Choose one and restart the server:`,
    `    ${tls}`,
    "    a proxy that ends TLS: SITE_ORIGIN=https://<name> TRUSTED_PROXIES=<its address>",
    "    links by mail: MILLRACE_SMTP_URL, MILLRACE_MAIL_FROM and SITE_ORIGIN=<the address that others open>",
    "  Until then, npm start -- owner-link prints a link that signs an owner in, once.",
  ].join("\n");
}
