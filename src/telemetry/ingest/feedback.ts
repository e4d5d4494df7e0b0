import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";
import type { TelemetryStore } from "../store/telemetry-store.ts";
import type { Intake } from "./intake.ts";
import { createRateLimit } from "./rate-limit.ts";

/** Of one request, in bytes: 2,000 characters of text may take four bytes each. */
const maxBodyBytes = 10_000;
/** From all readers together; more is a flood, not feedback. */
const maxAnswersPerMinute = 120;

const answerSchema = z.strictObject({
  path: z
    .string()
    .regex(/^\/docs(\/[a-z0-9-]+)*$/)
    .max(200),
  answer: z.enum(["yes", "no"]),
  text: z.string().max(2000),
});

export interface FeedbackOptions {
  store: Pick<TelemetryStore, "write">;
  intake: Pick<Intake, "accept" | "refuse">;
  clock: () => number;
}

const endpoint = "/feedback";

/** `POST /feedback`: readers' answers to "Was this page helpful?", without anything that identifies a reader. */
export function createFeedbackApp({ store, intake, clock }: FeedbackOptions): Hono {
  const app = new Hono();
  const limit = createRateLimit({ perMinute: maxAnswersPerMinute, clock });

  app.post(endpoint, bodyLimit({ maxSize: maxBodyBytes }), async (context) => {
    const parsed = answerSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!parsed.success) {
      intake.refuse(endpoint, "not valid");
      const issue = parsed.error.issues[0];
      return context.json({ message: `${issue?.path.join(".") || "The body"}: ${issue?.message}` }, 400);
    }
    if (!limit.take("", 1)) {
      intake.refuse(endpoint, "too many requests");
      return context.json({ message: "Too many answers at the moment. Try again in a minute." }, 429);
    }
    // A reader who wrote something is told when it could not be kept.
    if (!store.write({ feedback: [{ at: clock(), ...parsed.data }] }))
      return context.json(
        { message: "The answer cannot be kept at the moment. Try again in a minute." },
        503,
      );
    intake.accept(endpoint, 1);
    return context.body(null, 204);
  });
  return app;
}
