/** Sentry's event → an error report with the fields that may be stored, and nothing about the person concerned. */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { TelemetryLimits } from "../contract/limits.ts";
import { cutQueries, pathOf } from "./clean-text.ts";
import { stripIdentifying } from "./strip-identifying.ts";
import { trustedTime } from "./clock-skew.ts";
import { Refusal } from "../contract/refusal.ts";
import type { ErrorReport, RawFrame } from "../contract/types.ts";

const MAX_FRAMES = 100;
const MAX_EXCEPTIONS = 10;
/** The SDK names the built files of the stack. */
const MAX_IMAGES = 200;
const MAX_FILE_LENGTH = 500;
const MAX_NAME_LENGTH = 200;

/** Texts are cut before anything reads them. */
const text = (length: number) =>
  z
    .string()
    .transform((value) => value.slice(0, length))
    .nullish()
    .catch(null);
const count = z.int().min(0).nullish().catch(null);

/** The last entries of a list; the others are not read. */
const lastOf = <Entry extends z.ZodType>(entry: Entry, most: number) =>
  z
    .array(z.unknown())
    .transform((entries) => entries.slice(-most))
    .pipe(z.array(entry));

const frameSchema = z.object({
  filename: text(MAX_FILE_LENGTH),
  abs_path: text(MAX_FILE_LENGTH),
  function: text(MAX_NAME_LENGTH),
  lineno: count,
  colno: count,
  in_app: z.boolean().nullish().catch(null),
});

const exceptionSchema = (limits: TelemetryLimits) =>
  z.object({
    type: text(MAX_NAME_LENGTH),
    value: text(limits.textLength),
    stacktrace: z.object({ frames: lastOf(frameSchema, MAX_FRAMES).nullish() }).nullish(),
  });

const imageSchema = z.object({
  type: text(MAX_NAME_LENGTH),
  code_file: text(MAX_FILE_LENGTH),
  debug_id: text(MAX_NAME_LENGTH),
});

const createEventSchema = (limits: TelemetryLimits) =>
  z.object({
    event_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal digits")
      .optional(),
    timestamp: z
      .union([z.number(), text(100)])
      .nullish()
      .catch(null),
    level: text(20),
    release: text(200),
    environment: text(100),
    transaction: text(limits.textLength),
    message: z
      .union([
        z.string().transform((value) => value.slice(0, limits.textLength)),
        z.object({ formatted: text(limits.textLength), message: text(limits.textLength) }),
      ])
      .nullish()
      .catch(null),
    // The last exception was thrown; the previous ones are its causes.
    exception: z.object({ values: lastOf(exceptionSchema(limits), MAX_EXCEPTIONS) }).nullish(),
    request: z
      .object({ url: text(limits.textLength) })
      .nullish()
      .catch(null),
    debug_meta: z
      .object({ images: lastOf(imageSchema, MAX_IMAGES).nullish() })
      .nullish()
      .catch(null),
  });

type EventSchema = ReturnType<typeof createEventSchema>;
/** One schema per set of limits. A server has one set; each test has its own. */
const schemas = new WeakMap<TelemetryLimits, EventSchema>();

function eventSchemaOf(limits: TelemetryLimits): EventSchema {
  const known = schemas.get(limits);
  if (known) return known;
  const made = createEventSchema(limits);
  schemas.set(limits, made);
  return made;
}

type SentryEvent = z.infer<EventSchema>;

export interface ReportContext {
  now: number;
  platform: ErrorReport["platform"];
  /** Family of the sender's user agent; null on the server. */
  browser: string | null;
  limits: TelemetryLimits;
}

export interface ParsedEvent {
  event: SentryEvent;
  report: ErrorReport;
}

/** @throws Refusal for an event that is neither an exception nor a message. */
export function parseSentryEvent(
  payload: unknown,
  { now, platform, browser, limits }: ReportContext,
): ParsedEvent {
  const parsed = eventSchemaOf(limits).safeParse(payload);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Refusal(
      "not valid",
      `The event's ${issue?.path.join(".") || "body"}: ${issue?.message ?? "is not valid"}.`,
    );
  }
  const event = parsed.data;
  const thrown = event.exception?.values.at(-1);
  const message =
    typeof event.message === "string" ? event.message : (event.message?.formatted ?? event.message?.message);
  if (!thrown && !message)
    throw new Refusal("not valid", "The event has neither an exception nor a message.");
  const seconds = typeof event.timestamp === "number" ? event.timestamp * 1000 : event.timestamp;
  const report: ErrorReport = {
    eventId: event.event_id?.toLowerCase() ?? randomUUID().replaceAll("-", ""),
    at: trustedTime(seconds, now),
    platform,
    type: cleanMessage(thrown?.type ?? "Message", limits),
    value: cleanMessage(thrown?.value ?? message ?? "", limits),
    release: event.release ?? null,
    environment: event.environment ?? null,
    path: cleanPath(pathOf(event.request?.url) ?? pathOf(event.transaction)),
    browser,
    frames: framesOf(event, thrown?.stacktrace?.frames ?? []),
  };
  return { event, report };
}

/** A message may quote what a person typed, and an address may name them. */
const cleanMessage = (text: string, { textLength }: TelemetryLimits) =>
  stripIdentifying(cutQueries(text), textLength);

const cleanPath = (path: string | null) => path && stripIdentifying(path);

function framesOf(event: SentryEvent, frames: z.infer<typeof frameSchema>[]): RawFrame[] {
  const debugIds = new Map(
    (event.debug_meta?.images ?? []).map((image) => [image.code_file, image.debug_id?.toLowerCase() ?? null]),
  );
  return frames
    .map((frame) => {
      const file = frame.abs_path || frame.filename || "<anonymous>";
      return {
        file: cutQueries(file),
        line: frame.lineno ?? null,
        column: frame.colno ?? null,
        // The SDKs' name for an anonymous function.
        function: frame.function && frame.function !== "?" ? frame.function : null,
        isInApp: (frame.in_app ?? true) && file !== "<anonymous>",
        debugId: debugIds.get(file) ?? null,
      };
    })
    .toReversed();
}

/** The event that a service may have: the stored fields, in the SDK's format, with the frames as sent. */
export function forwardableEvent({ event, report }: ParsedEvent): { [name: string]: unknown } {
  const { path, browser, type, value } = report;
  return {
    event_id: report.eventId,
    timestamp: report.at / 1000,
    level: event.level ?? "error",
    platform: report.platform === "server" ? "node" : "javascript",
    release: report.release,
    environment: report.environment,
    ...(event.exception && {
      exception: {
        // Only the thrown error as stored. Its causes are not forwarded, because the store has none.
        values: event.exception.values
          .slice(-1)
          .map(({ stacktrace }) => copyException(type, value, stacktrace)),
      },
    }),
    ...(!event.exception && { message: value }),
    ...(path && { transaction: path, request: { url: path } }),
    ...(browser && { contexts: { browser: { name: browser } } }),
    debug_meta: { images: event.debug_meta?.images?.map(copyImage) },
    // Keeps Sentry from taking this server's address for the reader's.
    user: { ip_address: null },
    sdk: { name: "sentry.javascript.react", settings: { infer_ip: "never" } },
  };
}

type Exception = NonNullable<SentryEvent["exception"]>["values"][number];

/** Copied field by field, because SDKs add values of variables and lines of source that must not be forwarded. */
function copyException(type: string, value: string, stacktrace: Exception["stacktrace"]) {
  const cut = (text: string | null | undefined) => text && cutQueries(text);
  const frames = stacktrace?.frames?.map((frame) => ({
    filename: cut(frame.filename),
    abs_path: cut(frame.abs_path),
    function: frame.function,
    lineno: frame.lineno,
    colno: frame.colno,
    in_app: frame.in_app,
  }));
  return { type, value, ...(frames && { stacktrace: { frames } }) };
}

interface Image {
  type?: string | null | undefined;
  code_file?: string | null | undefined;
  debug_id?: string | null | undefined;
}

function copyImage({ type, code_file, debug_id }: Image): Image {
  return { type, code_file: code_file && cutQueries(code_file), debug_id };
}
