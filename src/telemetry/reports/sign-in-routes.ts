import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { deleteCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import { checkChange } from "./guard.ts";
import { cookieName, type Sessions } from "./session.ts";

const attemptsPerAddress = 10;
/** From all addresses together: guesses from many of them wait for one another, longer with each that is wrong. */
const freeFailures = 5;
const maxBackOffMilliseconds = 60_000;
const maxBodyBytes = 2000;

export interface SignInOptions {
  sessions: Sessions | null;
  origin: string;
  keyOf: (context: Context) => string;
  clock: () => number;
}

const tokenSchema = z.object({ token: z.string().max(1000) });

export function signInRoutes({ sessions, origin, keyOf, clock }: SignInOptions): Hono {
  const app = new Hono();
  const perAddress = createRateLimit({ perMinute: attemptsPerAddress, clock });
  let failures = 0;
  let closedUntil = 0;

  const tooMany = (context: Context, seconds: number) => {
    context.header("Retry-After", String(seconds));
    return context.json({ message: `Too many attempts. Try again in ${seconds} seconds.` }, 429);
  };
  const cookieOptions = (context: Context) => ({
    path: "/console",
    httpOnly: true,
    sameSite: "Strict" as const,
    secure: origin.startsWith("https:") || new URL(context.req.url).protocol === "https:",
  });

  app.post("/console/sign-in", bodyLimit({ maxSize: maxBodyBytes }), async (context) => {
    const change = checkChange(context, origin);
    if (!change.isAllowed) return context.json({ message: change.message }, change.status);
    if (!sessions) return context.json({ message: "There is no CONSOLE_TOKEN to sign in with." }, 404);
    const seconds = perAddress.take(keyOf(context));
    if (seconds > 0) return tooMany(context, seconds);
    const wait = closedUntil - clock();
    if (wait > 0) return tooMany(context, Math.ceil(wait / 1000));
    const body = tokenSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) return context.json({ message: 'The body must be {"token": "…"}.' }, 400);
    if (!sessions.isToken(body.data.token)) {
      failures += 1;
      if (failures >= freeFailures)
        closedUntil = clock() + Math.min(1000 * 2 ** (failures - freeFailures), maxBackOffMilliseconds);
      return context.json({ message: "This is not the value of CONSOLE_TOKEN." }, 401);
    }
    failures = 0;
    const { value, maxAge } = sessions.begin();
    setCookie(context, cookieName, value, { ...cookieOptions(context), maxAge });
    return context.json({ isSignedIn: true });
  });

  app.post("/console/sign-out", (context) => {
    const change = checkChange(context, origin);
    if (!change.isAllowed) return context.json({ message: change.message }, change.status);
    deleteCookie(context, cookieName, cookieOptions(context));
    return context.json({ isSignedIn: false });
  });
  return app;
}
