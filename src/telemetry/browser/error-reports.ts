/**
 * Error reports in Sentry's protocol, through this origin. Loaded when something has failed, and handed what failed
 * before. A report has no session, no identifier and no query: it is necessary, not analytics.
 */
import {
  breadcrumbsIntegration,
  BrowserClient,
  defaultStackParser,
  linkedErrorsIntegration,
  makeFetchTransport,
  Scope,
  type Breadcrumb,
  type ErrorEvent as Report,
} from "@sentry/react";
import { debugIdOf } from "./debug-id.ts";

/** More errors of one page say nothing new. */
const MAX_REPORTS = 10;
/** Of a message: an error may quote what it failed at. */
const MAX_MESSAGE = 300;

const reported = new Set<string>();
const scope = startClient();

/** Sends what an `error` or `unhandledrejection` event carries; the same error only once. */
export function report(event: Event): void {
  const { error, mechanism } = failureOf(event);
  const key = keyOf(error);
  if (key === null || reported.has(key) || reported.size >= MAX_REPORTS) return;
  reported.add(key);
  if (error instanceof Error) nameFiles(error.stack ?? "");
  const { componentStack } = Object(error) as { componentStack?: string };
  scope.captureException(error, {
    mechanism: { type: `auto.browser.global_handlers.${mechanism}`, handled: false },
    ...(componentStack && { captureContext: { contexts: { react: { componentStack } } } }),
  });
}

function startClient(): Scope {
  const scope = new Scope();
  const client = new BrowserClient({
    // Never asked: the tunnel's server knows where reports go.
    dsn: `https://public@${location.hostname}/1`,
    tunnel: "/errors/envelope",
    release: __RELEASE__,
    environment: import.meta.env.MODE,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [
      linkedErrorsIntegration(),
      breadcrumbsIntegration({ dom: true, fetch: true, history: true, xhr: false }),
    ],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    enhanceFetchErrorMessages: false,
    sendClientReports: false,
    beforeBreadcrumb: withoutQueries,
    beforeSend: describePage,
  });
  scope.setClient(client);
  client.init();
  return scope;
}

function failureOf(event: Event): { error: unknown; mechanism: string } {
  if (event instanceof ErrorEvent) return { error: event.error ?? event.message, mechanism: "onerror" };
  return {
    error: (event as PromiseRejectionEvent).reason, // the only other event that is listened for
    mechanism: "onunhandledrejection",
  };
}

/** Equal for the same error from the same place; null for what is none of this site's. */
function keyOf(error: unknown): string | null {
  const { name, message, stack } = Object(error) as Partial<Error>;
  const isForeign = /-extension:\/\//.test(stack ?? "") || error === "Script error." || error == null;
  if (isForeign || name === "AbortError") return null;
  const place = stack?.split("\n").find((line) => /:\d+:\d+/.test(line));
  return [name, message ?? String(error), place].join("\n");
}

/** Tells the SDK the debug ids of the files of a stack, in the form in which snippets in the files would. */
function nameFiles(stack: string): void {
  const ids = ((globalThis as { _sentryDebugIds?: { [stack: string]: string } })._sentryDebugIds ??= {});
  for (const [url, name] of stack.matchAll(/https?:[^\s()]+\/assets\/([\w.-]+\.js)/g))
    ids[`Error\n    at ${url}:1:1`] = debugIdOf(name ?? "");
}

function describePage(report: Report): Report {
  for (const exception of report.exception?.values ?? [])
    exception.value = exception.value?.slice(0, MAX_MESSAGE) ?? "";
  return {
    ...report,
    request: { url: location.origin + location.pathname },
    transaction: location.pathname,
  };
}

/** What the reader typed is in no breadcrumb: addresses lose their query, and elements are named by their selector. */
function withoutQueries(breadcrumb: Breadcrumb): Breadcrumb {
  const data: Breadcrumb["data"] = {};
  for (const [key, value] of Object.entries(breadcrumb.data ?? {}))
    data[key] = typeof value === "string" ? value.replace(/[?#].*$/, "") : value;
  return { ...breadcrumb, ...(breadcrumb.data && { data }) };
}
