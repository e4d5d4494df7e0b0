/**
 * Error reports in Sentry's protocol, through this origin. Loaded after the first failure, and given the earlier failures. A
 * report contains nothing about the reader (no session, no identifier, no query, nothing that they did or typed): it is
 * necessary, not analytics.
 */
import {
  BrowserClient,
  defaultStackParser,
  makeFetchTransport,
  Scope,
  type ErrorEvent as Report,
} from "@sentry/react";
import { debugIdOf } from "./debug-id.ts";

/** Further errors of one page add nothing. */
const MAX_REPORTS = 10;
/** Maximum length of a stored message. An error may quote the text that it failed on. */
const MAX_MESSAGE = 300;
/** Shorter texts occur in ordinary words. */
const MIN_TYPED = 3;

const reported = new Set<string>();
const scope = startClient();

/** Sends the error of an `error` or `unhandledrejection` event; the same error only once. */
export function report(event: Event): void {
  const { error, mechanism } = failureOf(event);
  const key = keyOf(error);
  if (key === null || reported.has(key) || reported.size >= MAX_REPORTS) return;
  reported.add(key);
  if (error instanceof Error) nameFiles(error.stack ?? "");
  scope.captureException(error, {
    mechanism: { type: `auto.browser.global_handlers.${mechanism}`, handled: false },
  });
}

function startClient(): Scope {
  const scope = new Scope();
  const client = new BrowserClient({
    // Never contacted: reports go through the tunnel, and its server knows where to send them.
    dsn: `https://public@${location.hostname}/1`,
    tunnel: "/errors/envelope",
    release: __RELEASE__,
    environment: import.meta.env.MODE,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    transportOptions: { fetchOptions: { credentials: "omit", referrerPolicy: "strict-origin" } },
    integrations: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    enhanceFetchErrorMessages: false,
    sendClientReports: false,
    beforeSend: essential,
  });
  scope.setClient(client);
  client.init();
  return scope;
}

function failureOf(event: Event): { error: unknown; mechanism: string } {
  if (event instanceof ErrorEvent) return { error: event.error ?? event.message, mechanism: "onerror" };
  return {
    error: (event as PromiseRejectionEvent).reason, // the only other event with a listener
    mechanism: "onunhandledrejection",
  };
}

/** Equal for the same error from the same place; null when the error is not this site's. */
function keyOf(error: unknown): string | null {
  const { name, message, stack } = Object(error) as Partial<Error>;
  const isForeign = /-extension:\/\//.test(stack ?? "") || error === "Script error." || error == null;
  if (isForeign || name === "AbortError") return null;
  const place = stack?.split("\n").find((line) => /:\d+:\d+/.test(line));
  return [name, message ?? String(error), place].join("\n");
}

/** Gives the SDK the debug ids of a stack's files, in the form that snippets in the files would use. */
function nameFiles(stack: string): void {
  const ids = ((globalThis as { _sentryDebugIds?: { [stack: string]: string } })._sentryDebugIds ??= {});
  for (const [url, name] of stack.matchAll(/https?:[^\s()]+\/assets\/([\w.-]+\.js)/g))
    ids[`Error\n    at ${url}:1:1`] = debugIdOf(name ?? "");
}

/** The only fields that are sent, whatever the SDK adds: its contexts number the page's visit. */
const SENT_FIELDS = [
  "event_id",
  "timestamp",
  "platform",
  "level",
  "release",
  "environment",
  "exception",
  "debug_meta",
] as const;

function essential(report: Report): Report {
  for (const exception of report.exception?.values ?? [])
    exception.value = withoutTyped(exception.value ?? "").slice(0, MAX_MESSAGE);
  return {
    type: report.type,
    ...Object.fromEntries(SENT_FIELDS.map((field) => [field, report[field]])),
    request: { url: location.origin + location.pathname },
    transaction: location.pathname,
  };
}

/** A message may quote the text that it failed on, so words from the page's fields and its address are removed. */
function withoutTyped(message: string): string {
  const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea")].map(
    ({ value }) => value,
  );
  const typed = [...fields, ...new URLSearchParams(location.search).values()].map((text) => text.trim());
  return typed
    .filter((text) => text.length >= MIN_TYPED)
    .reduce((text, each) => text.replaceAll(each, "***"), message);
}
