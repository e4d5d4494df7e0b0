/**
 * Signing in with the console's token or, once, with the link that the server's start prints, and signing out.
 *
 * Wrong tokens are counted by address and by nothing else: who guesses waits, and nobody elsewhere waits for them. A link's
 * code is too long to be guessed and is taken from everywhere, also from behind a proxy that guesses come from.
 */
import { type Context, Hono } from "hono";
import * as z from "zod";
import { addressKey, type AddressOf } from "#platform/http/client-address.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import { checkChange } from "./guard.ts";
import { readChange } from "./read-change.ts";
import { readSessionCookie, removeSessionCookie, writeSessionCookie } from "./session-cookie.ts";
import type { Sessions } from "./session.ts";

/** Wrong tokens from one address: so many at once, then so many a minute. */
const wrongTokens = { burst: 10, perMinute: 6 };
const MAX_BODY_BYTES = 2000;

export interface SignInOptions {
  sessions: Sessions;
  origin: string;
  addressOf: AddressOf;
  clock: () => number;
}

const secret = z.string().max(1000);
const signInSchema = z.union([z.strictObject({ token: secret }), z.strictObject({ code: secret })]);
const signOutSchema = z.object({ everywhere: z.boolean().optional() });

export function signInRoutes({ sessions, origin, addressOf, clock }: SignInOptions): Hono {
  const app = new Hono();
  const wrong = createRateLimit({ ...wrongTokens, clock });

  const tooMany = (context: Context, seconds: number) => {
    context.header("Retry-After", String(seconds));
    return context.json({ message: `Too many attempts. Try again in ${seconds} seconds.` }, 429);
  };

  app.on("POST", ["/console/sign-in", "/console/sign-out"], async (context, next) => {
    const change = checkChange(context, origin);
    if (!change.isAllowed) return context.json({ message: change.message }, change.status);
    context.header("Cache-Control", "no-store");
    return next();
  });

  app.post("/console/sign-in", async (context) => {
    const read = await readChange(context, MAX_BODY_BYTES);
    if (read instanceof Response) return read;
    const body = signInSchema.safeParse(read.json);
    if (!body.success) return context.json({ message: 'The body must be {"token": "…"}.' }, 400);
    const key = addressKey(addressOf(context));
    const isLink = "code" in body.data;
    // The token is an operator's own words: it is compared only while there are attempts left.
    const wait = isLink ? 0 : wrong.wait(key);
    if (wait > 0) return tooMany(context, wait);
    const isRight =
      "code" in body.data ? sessions.takeCode(body.data.code) : sessions.isToken(body.data.token);
    if (isRight) {
      writeSessionCookie(context, origin, sessions.begin());
      return context.json({ isSignedIn: true });
    }
    const seconds = wrong.take(key);
    if (seconds > 0) return tooMany(context, seconds);
    const message = isLink
      ? "This link has been used or has expired. Each start of the server prints a new one."
      : "This is not the console's token.";
    return context.json({ message }, 401);
  });

  app.post("/console/sign-out", async (context) => {
    const cookie = readSessionCookie(context, origin);
    const read = await readChange(context, MAX_BODY_BYTES);
    if (read instanceof Response) return read;
    const { everywhere = false } = signOutSchema.safeParse(read.json).data ?? {};
    if (everywhere && sessions.isValid(cookie)) sessions.endAll();
    else sessions.end(cookie);
    removeSessionCookie(context, origin);
    return context.json({ isSignedIn: false });
  });
  return app;
}
