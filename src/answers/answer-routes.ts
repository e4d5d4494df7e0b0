/**
 * `POST /answers`: a question, answered with sentences and their sources as a stream of events.
 *
 *     {"question":"How long are images kept?"}
 *       event: sentence   data: {"text":"An image is kept for 7 days.","sources":[{"number":1,"title":"Images",…}]}
 *       event: done       data: {"unsaid":0}
 */
import { type Context, Hono } from "hono";
import { z } from "zod";
import { type AddressOf, networkOf } from "#platform/http/addresses/client-address.ts";
import { isSameOrigin } from "#platform/http/addresses/same-origin.ts";
import { connectionOf } from "#platform/http/connections/reader-connection.ts";
import { answerAsText, BODY_FAILURE, inSeconds } from "#platform/http/failure.ts";
import { BodyError, readText } from "#platform/http/read-body.ts";
import type { Log } from "#platform/log/log.ts";
import { type AnswerEvent, answerQuestion } from "./answer-question.ts";
import * as defaults from "./contract/limits.ts";
import { type Model, ModelError, operatorLine, readerWords } from "./model/model.ts";
import { parseJson } from "./model/read-event.ts";
import type { Passage } from "./passages/find-passages.ts";
import { createPlaces, type Places } from "./places.ts";
import { type AnswerFigures, createFigures, type Outcome } from "./register-metrics.ts";
import { STREAM_HEADERS, streamEvents } from "./stream-events.ts";
import { createTokenBudget, type TokenBudget } from "./token-budget.ts";

export interface AnswerRoutesOptions {
  origin: string;
  siteName: string;
  model: Model;
  tokensPerDay: number;
  findPassages: (question: string) => Promise<Passage[]>;
  isOrdinary: (word: string) => boolean;
  log: Log;
  limits?: Partial<typeof AnswerLimits>;
  now?: () => number;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

const AnswerLimits = {
  deadlineMs: defaults.DEADLINE_MS,
  keepAliveMs: defaults.KEEP_ALIVE_MS,
  running: defaults.MAX_RUNNING,
  runningPerNetwork: defaults.MAX_RUNNING_PER_NETWORK,
};

export interface AnswerRoutes {
  app: (addressOf: AddressOf) => Hono;
  registerMetrics: AnswerFigures["registerMetrics"];
  /** Ends all answers. */
  end: () => void;
}

/** What a running answer needs. */
interface Running {
  question: string;
  /** Ends when the reader leaves, the time is over, or the server stops. */
  signal: AbortSignal;
  hasLeft: () => boolean;
  free: () => void;
  /** Called once with the tokens that the answer took. */
  settle: (used: number) => void;
}

export function createAnswerRoutes(options: AnswerRoutesOptions): AnswerRoutes {
  const { origin, log, now = () => performance.now() } = options;
  const limits = { ...AnswerLimits, ...options.limits };
  const places = createPlaces(limits.running, limits.runningPerNetwork);
  const budget = createTokenBudget(options.tokensPerDay, options.clock);
  const figures = createFigures(() => places.size, budget.left);
  const stopping = new AbortController();

  /** Never throws: a failure is its last event. */
  async function* answer({ question, signal, hasLeft, free, settle }: Running): AsyncGenerator<AnswerEvent> {
    const began = now();
    let outcome: Outcome = "answered";
    let used = 0;
    const count = {
      unsaid: figures.unsaid,
      tokens(tokens: { input: number; output: number }) {
        figures.tokens(tokens);
        used += tokens.input + tokens.output;
      },
    };
    try {
      const passages = await options.findPassages(question);
      for await (const event of answerQuestion(question, { ...options, passages, count, signal })) {
        if (event.event === "sentence") figures.sentence();
        if (event.event === "unknown") outcome = "unknown";
        yield event;
      }
    } catch (error) {
      outcome = hasLeft() ? "left" : "failed";
      const problem = hasLeft() ? null : problemOf(error, signal);
      if (!problem) return;
      if (problem instanceof ModelError) log.warn(operatorLine(problem));
      else log.error("An answer failed:", { error });
      const message = problem instanceof ModelError ? readerWords(problem) : OUR_FAULT;
      yield { event: "error", data: { message } };
    } finally {
      free();
      settle(used);
      figures.outcome(hasLeft() ? "left" : outcome, now() - began);
    }
  }

  const app = (addressOf: AddressOf) =>
    serveAnswers({
      origin,
      log,
      limits,
      places,
      budget,
      figures,
      stopping: stopping.signal,
      answer,
      addressOf,
    });
  return { app, registerMetrics: figures.registerMetrics, end: () => stopping.abort(new Error("stopping")) };
}

interface Serving {
  origin: string;
  log: Log;
  limits: typeof AnswerLimits;
  places: Places;
  budget: TokenBudget;
  figures: AnswerFigures;
  stopping: AbortSignal;
  answer: (running: Running) => AsyncGenerator<AnswerEvent>;
  addressOf: AddressOf;
}

function serveAnswers(serving: Serving): Hono {
  const { origin, figures } = serving;

  function refuse(context: Context, status: 400 | 403 | 415, message: string): Response {
    figures.outcome("refused");
    return context.text(`${message}\n`, status, { "Cache-Control": "no-store" });
  }

  const routes = new Hono();
  routes.post("/answers", async (context) => {
    // Another site's page could make its readers' browsers use up the model.
    if (!isSameOrigin(context.req.raw, new URL(origin).origin))
      return refuse(context, 403, `Only pages of ${origin} can ask for answers.`);
    if (!/^application\/json\s*(?:;|$)/i.test(context.req.header("content-type") ?? ""))
      return refuse(context, 415, "A question is sent as application/json.");
    const question = await readQuestion(context.req.raw);
    if (question === undefined) return refuse(context, 400, QUESTION_FORM);
    return streamAnswer(context, question, serving);
  });
  routes.all("/answers", (context) =>
    answerAsText(context, {
      reason: "method not allowed",
      message: "This address accepts only POST.",
      allow: "POST",
    }),
  );
  routes.all("*", (context) =>
    answerAsText(context, { reason: "not found", message: "There is nothing here." }),
  );
  routes.onError((error, context) => {
    if (!(error instanceof BodyError)) throw error;
    figures.outcome("refused");
    return answerAsText(context, { reason: BODY_FAILURE[error.problem], message: error.message });
  });
  return routes;
}

/** @returns undefined for a request that is not a question @throws BodyError */
async function readQuestion(request: Request): Promise<string | undefined> {
  const limits = { maxBytes: defaults.MAX_BODY_BYTES, timeoutMs: defaults.BODY_MS };
  return questionSchema.safeParse(parseJson(await readText(request, limits))).data?.question;
}

function streamAnswer(context: Context, question: string, serving: Serving): Response {
  const { limits, stopping, answer } = serving;
  const admitted = admit(context, serving);
  if (admitted instanceof Response) return admitted;
  const { free } = admitted;
  const left = new AbortController();
  // Until the server writes, it would not notice that its reader has left.
  const stopWatching = connectionOf(context).watch(() => left.abort());
  const settle = (used: number) => {
    stopWatching();
    admitted.settle(used);
  };
  const late = AbortSignal.timeout(limits.deadlineMs);
  const signal = AbortSignal.any([left.signal, late, stopping]);
  const hasLeft = () => left.signal.aborted;
  // A reader who takes nothing stops the answer in the middle of an event: its place must not wait for them.
  signal.addEventListener("abort", free, { once: true });
  const events = answer({ question, signal, hasLeft, free, settle });
  const body = streamEvents(events, {
    keepAliveMs: limits.keepAliveMs,
    onLeave() {
      left.abort();
      // An answer that has not begun settles nothing itself.
      events.return(undefined).then(
        () => settle(0),
        () => {},
      );
    },
  });
  return context.body(body, 200, STREAM_HEADERS);
}

/** @returns a response when there is no place or no token left */
function admit(context: Context, serving: Serving): Pick<Running, "free" | "settle"> | Response {
  const { log, places, budget, figures, addressOf } = serving;
  const free = places.take(networkOf(addressOf(context)));
  const settle = free && budget.take();
  if (settle) return { free, settle };
  figures.outcome("refused");
  if (!free) return answerAsText(context, TOO_MANY);
  free();
  if (budget.isFirstToday()) log.warn(SPENT_LINE);
  return answerAsText(context, { ...SPENT, retryAfterSeconds: budget.secondsLeft() });
}

const OUR_FAULT = "Something went wrong on our side. Try again in a moment.";
const QUESTION_FORM = `A question is a text of at most ${defaults.MAX_QUESTION_LENGTH} characters: {"question":"How long are images kept?"}.`;
const TOO_MANY = {
  reason: "no room",
  message: `Too many answers are being written. Try again in ${inSeconds(defaults.RUNNING_RETRY_SECONDS)}.`,
  retryAfterSeconds: defaults.RUNNING_RETRY_SECONDS,
} as const;
const SPENT = {
  reason: "no room",
  message: "The model has answered as many questions as it may today. Search works as usual.",
} as const;
const SPENT_LINE =
  "Questions are refused until 00:00 UTC: the model has taken today's tokens (ANSWERS_TOKENS_PER_DAY).";

const questionSchema = z.strictObject({
  question: z
    .string()
    .max(defaults.MAX_QUESTION_LENGTH)
    .transform((text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, " ").trim())
    .refine((text) => /[\p{L}\p{N}]/u.test(text)),
});

/** @returns null when the server stops: nothing is wrong */
function problemOf(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted) return error;
  const { reason } = signal as { reason: unknown };
  return reason instanceof DOMException && reason.name === "TimeoutError" ? new ModelError("timeout") : null;
}
