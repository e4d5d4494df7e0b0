/** All addresses for people, and those of the device flow: the table is in README.md. */
import { Hono } from "hono";
import { runUrgently } from "#platform/database/urgent.ts";
import type { Accounts } from "./contract/accounts.ts";
import { createDeviceRoutes } from "./device/device-routes.ts";
import { answerRefusals, createRequestGuard, type RequestGuardOptions } from "./sign-in/request-guard.ts";
import { createGithubProvider, type GithubOptions } from "./sign-in/providers/github-provider.ts";
import { createJoinRoutes } from "./sign-in/routes/join-routes.ts";
import { createMailLinks } from "./sign-in/mail/mail-links.ts";
import { createMailRoutes } from "./sign-in/routes/mail-routes.ts";
import { createOidcProvider, type OidcOptions } from "./sign-in/providers/oidc-provider.ts";
import { createPasskeyRoutes } from "./sign-in/routes/passkey-routes.ts";
import { hasPasskeys } from "./contract/has-passkeys.ts";
import { createProviderRoutes } from "./sign-in/routes/provider-routes.ts";
import { createSecondStepRoutes } from "./sign-in/routes/second-step-routes.ts";
import { createSessionRoutes, type DiskState } from "./sign-in/routes/session-routes.ts";
import { createStartRoutes } from "./sign-in/routes/start-routes.ts";
import { createTwoStepRoutes } from "./sign-in/routes/two-step-routes.ts";

export interface AccountRoutesOptions extends RequestGuardOptions {
  /** Absent: people cannot sign in with it. */
  oidc?: OidcOptions | null;
  github?: GithubOptions | null;
  /** The server's disk, for owners. Absent in tests. */
  disk?: DiskState;
  /** The mail server's host, as people see it. Mail is sent when the accounts have `sendMail`. */
  sentBy?: string;
}

/** `/auth/*` and `/oauth/*` */
export function createAccountRoutes(accounts: Accounts, options: AccountRoutesOptions): Hono {
  const { oidc, github, sentBy = "" } = options;
  const guard = createRequestGuard(accounts, options);
  const providers = [
    ...(oidc ? [createOidcProvider(accounts, oidc)] : []),
    ...(github ? [createGithubProvider(accounts, github)] : []),
  ];
  const mailLinks = accounts.sendMail ? createMailLinks(accounts, accounts.sendMail) : null;
  const app = new Hono();
  answerRefusals(app, guard);
  // On a full disk, people have to sign in and out again to revoke something.
  app.use("/auth/*", (_context, next) => runUrgently(next));
  app.route(
    "/",
    createSessionRoutes(
      guard,
      {
        passkey: hasPasskeys(accounts.origin),
        oidc: oidc?.name ?? null,
        github: Boolean(github),
        mail: mailLinks !== null,
      },
      options.disk,
    ),
  );
  app.route("/", createStartRoutes(guard, mailLinks));
  app.route("/", createPasskeyRoutes(guard));
  app.route("/", createMailRoutes(guard, mailLinks, sentBy));
  app.route("/", createProviderRoutes(guard, providers));
  app.route("/", createJoinRoutes(guard, mailLinks));
  app.route("/", createSecondStepRoutes(guard));
  app.route("/", createTwoStepRoutes(guard));
  app.route("/", createDeviceRoutes(guard));
  return app;
}
