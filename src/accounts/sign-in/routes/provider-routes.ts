import { type Context, Hono } from "hono";
import { generateRandomCodeVerifier, generateRandomNonce, generateRandomState } from "oauth4webapi";
import * as z from "zod";
import { isSameOrigin } from "#platform/http/addresses/same-origin.ts";
import { Refused } from "../../contract/refused.ts";
import { ConfirmationNeeded, requireConfirmed } from "../../two-step/require-confirmed.ts";
import { deleteCookie, findCookie, setCookie } from "../browser/cookies.ts";
import type { RequestGuard } from "../request-guard.ts";
import { enterAsPerson } from "../enter-as-person.ts";
import { readBrowser, sendEntered } from "../enter.ts";
import { type Provider, ProviderError } from "../providers/provider.ts";
import { safeNext } from "../safe-next.ts";
import { readState, signState } from "../browser/signed-state.ts";

/** A person may have to find their phone. */
const FLOW_MS = 10 * 60_000;
const MAX_INVITATION_KEY = 100;

const flowSchema = z.object({
  kind: z.enum(["oidc", "github"]),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  invitation: z.string().nullable(),
  linkTo: z.string().nullable(),
});
type OAuthFlow = z.infer<typeof flowSchema>;

/** `/auth/oidc`, `/auth/github` and their callbacks. A signed cookie carries the state in between. */
export function createProviderRoutes(guard: RequestGuard, providers: readonly Provider[]): Hono {
  const { accounts } = guard;
  const app = new Hono();

  for (const provider of providers) {
    app.get(`/auth/${provider.kind}`, async (context) => {
      try {
        await guard.admit(context, "provider");
        const flow = await startFlow(guard, context, provider);
        const url = await provider.begin(flow);
        const value = signState(accounts, "provider", { data: flow, lifetimeMs: FLOW_MS });
        setCookie(context, accounts, { use: "provider", value, maxAgeSeconds: FLOW_MS / 1000 });
        return context.redirect(url.href);
      } catch (error) {
        return redirectWithError(guard, context, error);
      }
    });

    app.get(`/auth/${provider.kind}/callback`, async (context) => {
      try {
        await guard.admit(context, "provider");
        const flow = readFlow(guard, context, provider);
        deleteCookie(context, accounts, "provider");
        const person = await provider.finish(new URL(context.req.url), flow);
        if (flow.linkTo !== null && (await guard.readUser(context))?.userId !== flow.linkTo)
          throw new ProviderError(
            "expired",
            "The person who asked to link the identity is no longer signed in.",
          );
        const { invitation, linkTo } = flow;
        const arrival = {
          person,
          method: provider.kind,
          invitation,
          linkTo,
          from: readBrowser(guard, context),
        };
        const entered = await enterAsPerson(accounts, arrival);
        return context.redirect(sendEntered(context, accounts, entered, flow.next));
      } catch (error) {
        return redirectWithError(guard, context, error);
      }
    });
  }

  return app;
}

async function startFlow(guard: RequestGuard, context: Context, { kind }: Provider): Promise<OAuthFlow> {
  const { next, invitation, link } = context.req.query();
  const user = link === "1" ? await guard.requireUser(context) : null;
  // Otherwise another site could send a person here and so link its own identity to their account.
  if (user && !isSameOrigin(context.req.raw, guard.accounts.origin))
    throw new Refused("permission_denied", "only the site's own pages may link an identity");
  if (user) await requireConfirmed(guard.accounts, user);
  return {
    kind,
    state: generateRandomState(),
    nonce: generateRandomNonce(),
    verifier: generateRandomCodeVerifier(),
    next: safeNext(next),
    invitation: invitation?.slice(0, MAX_INVITATION_KEY) ?? null,
    linkTo: user?.userId ?? null,
  };
}

function readFlow({ accounts }: RequestGuard, context: Context, { kind }: Provider): OAuthFlow {
  const text = findCookie(context, accounts, "provider") ?? "";
  const flow = readState(accounts, "provider", { text, schema: flowSchema });
  if (flow?.kind === kind && flow.state === context.req.query("state")) return flow;
  throw new ProviderError("expired", "The sign-in was not started in this browser, or took too long.");
}

function redirectWithError({ accounts }: RequestGuard, context: Context, error: unknown): Response {
  // The request is from a page, which confirms and sends it again.
  if (error instanceof ConfirmationNeeded) return context.redirect("/app/me?error=confirm");
  if (!(error instanceof ProviderError)) throw error;
  const { code, mail } = error;
  if (code.startsWith("provider-")) accounts.log.warn("Signing in with a provider failed.", { error });
  const query = new URLSearchParams({ error: code, ...(mail && { mail }) });
  return context.redirect(`/app/sign-in?${query}`);
}
