import { appendFile, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";

/** Of one request, in bytes: 2,000 characters of text may take four bytes each. */
const maxBodyBytes = 10_000;
/** From all readers together; more is a flood, not feedback. */
const maxAnswersPerMinute = 120;
/** Bytes after which nothing is written any more. */
const maxFileBytes = 50_000_000;

const answerSchema = z.strictObject({
  path: z
    .string()
    .regex(/^\/docs(\/[a-z0-9-]+)*$/)
    .max(200),
  answer: z.enum(["yes", "no"]),
  text: z.string().max(2000),
});

export interface FeedbackOptions {
  /** One JSON line for each answer: `{"at":"2026-11-21T…","path":"/docs/…","answer":"no","text":"…"}`. */
  file: string;
  clock?: () => Date;
}

/** `POST /feedback`: readers' answers to "Was this page helpful?", without anything that identifies a reader. */
export function createFeedbackApp({ file, clock = () => new Date() }: FeedbackOptions): Hono {
  const app = new Hono();
  let minute = 0;
  let answersThisMinute = 0;

  const isFlood = (now: Date) => {
    const current = Math.floor(now.getTime() / 60_000);
    if (current !== minute) [minute, answersThisMinute] = [current, 0];
    answersThisMinute += 1;
    return answersThisMinute > maxAnswersPerMinute;
  };

  app.post("/feedback", bodyLimit({ maxSize: maxBodyBytes }), async (context) => {
    const parsed = answerSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return context.json({ message: `${issue?.path.join(".") || "The body"}: ${issue?.message}` }, 400);
    }
    const now = clock();
    if (isFlood(now))
      return context.json({ message: "Too many answers at the moment. Try again in a minute." }, 429);
    await mkdir(dirname(file), { recursive: true });
    const size = await stat(file).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size > maxFileBytes) return context.json({ message: "The store of answers is full." }, 507);
    await appendFile(file, `${JSON.stringify({ at: now.toISOString(), ...parsed.data })}\n`);
    return context.body(null, 204);
  });
  return app;
}
