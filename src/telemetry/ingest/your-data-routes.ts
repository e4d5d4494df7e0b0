/** Shows and erases the stored data of one reader: `POST /your-data/export` and `/your-data/erase` with `{"ids": ["…"]}`. */
import { type Context, Hono } from "hono";
import * as z from "zod";
import { createNetworkLimit } from "#platform/http/limits/network-limit.ts";
import type { TelemetryStore } from "../thread/telemetry-store.ts";
import { type Intake, requireJson } from "./intake.ts";
import { parseJson, readBytes } from "./read-body.ts";
import { Refusal, tooManyRequests } from "../contract/refusal.ts";

/** A reader needs two. Guessing an identifier of 120 random bits would take far more. */
const REQUESTS_PER_MINUTE = 20;
const MAX_BODY_BYTES = 10_000;

/** Identifiers are random and made by an SDK, so anyone who knows one is the reader whose browser has it. */
const idSchema = z
  .string()
  .regex(/^[\w-]{20,129}$/, "must be an SDK's identifier: 20 to 129 letters, digits, - or _");

const bodySchema = z
  .union([
    z.strictObject({ ids: z.array(idSchema).min(1).max(10) }),
    z.strictObject({ distinctId: idSchema }).transform(({ distinctId }) => ({ ids: [distinctId] })),
  ])
  .transform(({ ids }) => [...new Set(ids)]);

export interface YourDataOptions {
  store: TelemetryStore;
  intake: Intake;
  clock: () => number;
}

export function yourDataRoutes({ store, intake, clock }: YourDataOptions): Hono {
  const app = new Hono();
  const limit = createNetworkLimit({ perMinute: REQUESTS_PER_MINUTE, clock });

  /** @throws Refusal */
  async function readIds(context: Context): Promise<string[]> {
    await intake.admit(context);
    requireJson(context.req.raw);
    const seconds = limit.take(intake.addressOf(context));
    if (seconds > 0) throw tooManyRequests(seconds);
    const bytes = await readBytes(context.req.raw, MAX_BODY_BYTES);
    const parsed = bodySchema.safeParse(parseJson(new TextDecoder().decode(bytes)));
    if (parsed.success) return parsed.data;
    throw new Refusal("not valid", 'The body must be {"ids": ["…"]} with identifiers of an SDK.');
  }

  async function answer(context: Context, run: (ids: string[]) => Promise<object>): Promise<Response> {
    const endpoint = context.req.path;
    try {
      const result = await run(await readIds(context));
      intake.accept(endpoint, 1);
      return context.json(result, 200, { "Cache-Control": "no-store" });
    } catch (error) {
      if (error instanceof Refusal) {
        intake.refuse(endpoint, error.reason);
        if (error.retryAfter !== null) context.header("Retry-After", String(error.retryAfter));
        return context.json({ message: error.message }, error.status);
      }
      const message = "The database is not responding. Nothing was changed. Try again in a minute.";
      return context.json({ message }, 503, { "Retry-After": "60" });
    }
  }

  app.post("/your-data/export", (context) =>
    answer(context, async (ids) => {
      await store.flush();
      return store.ask("exportReader", { ids });
    }),
  );
  app.post("/your-data/erase", (context) =>
    answer(context, async (ids) => {
      // Rows in memory are written first, so that they are deleted with the rest.
      await store.flush();
      return store.ask("eraseReader", { ids });
    }),
  );
  return app;
}
