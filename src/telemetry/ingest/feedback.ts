import { type Context, Hono } from "hono";
import * as z from "zod";
import { createNetworkLimit } from "#platform/http/limits/network-limit.ts";
import { createRateLimit } from "#platform/http/limits/rate-limit.ts";
import type { TelemetryStore } from "../thread/telemetry-store.ts";
import { sizeOf } from "../contract/budgets.ts";
import { type Intake, requireJson, requireKept } from "./intake.ts";
import { parseJson, readBytes } from "./read-body.ts";
import { Refusal, tooManyRequests } from "../contract/refusal.ts";

/** Per request: each of 2,000 characters may take four bytes. */
const MAX_BODY_BYTES = 10_000;
/** Per address and minute: an office reads many pages but comments on few of them. */
const ANSWERS_PER_ADDRESS = 30;
/** From all readers together in a minute; more is a flood, not feedback. */
const ANSWERS_PER_MINUTE = 600;

const answerSchema = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^(\/[a-z0-9.]+)?\/docs(\/[a-z0-9-]+)*$/),
  answer: z.enum(["yes", "no"]),
  text: z.string().max(2000),
});

export interface FeedbackOptions {
  store: Pick<TelemetryStore, "write">;
  intake: Pick<Intake, "accept" | "addressOf" | "admit" | "countKept" | "refuse" | "requireRoom">;
  clock: () => number;
}

const ENDPOINT = "/feedback";

/**
 * `POST /feedback`: readers' answers to "Was this page helpful?", without anything that identifies a reader. 204 once the
 * answer is in the database; 507 on a full disk and 503 when it could not be stored for another reason: the page shows this.
 */
export function createFeedbackApp({ store, intake, clock }: FeedbackOptions): Hono {
  const app = new Hono();
  const perAddress = createNetworkLimit({ perMinute: ANSWERS_PER_ADDRESS, clock });
  const ofAll = createRateLimit({ perMinute: ANSWERS_PER_MINUTE, clock });

  /** @throws Refusal */
  async function readAnswer(context: Context): Promise<z.infer<typeof answerSchema>> {
    await intake.admit(context);
    requireJson(context.req.raw);
    const bytes = await readBytes(context.req.raw, MAX_BODY_BYTES);
    const parsed = answerSchema.safeParse(parseJson(new TextDecoder().decode(bytes)));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new Refusal("not valid", `${issue?.path.join(".") || "The body"}: ${issue?.message}`);
    }
    const seconds = perAddress.take(intake.addressOf(context)) || ofAll.take("");
    if (seconds > 0) throw tooManyRequests(seconds);
    return parsed.data;
  }

  app.post(ENDPOINT, async (context) => {
    try {
      const row = { at: clock(), ...(await readAnswer(context)) };
      intake.requireRoom(context, "feedback");
      intake.countKept(context, "feedback", sizeOf(row));
      requireKept(await store.write({ feedback: [row] }));
      intake.accept(ENDPOINT, 1);
      return context.body(null, 204);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      intake.refuse(ENDPOINT, error.reason);
      if (error.retryAfter !== null) context.header("Retry-After", String(error.retryAfter));
      // A person reads this answer, so it can name the reason. The SDKs understand only 503.
      const status = error.reason === "disk full" ? 507 : error.status;
      return context.json({ message: error.message }, status);
    }
  });
  return app;
}
