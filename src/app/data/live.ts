/** The page's event stream, for its screens: outdated data is read again automatically. */
import type { QueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import type { AuthState } from "./answers.ts";
import { readAnswer } from "./ask-server.ts";
import { noteSignedOut, readSignedOut, watchSignedOut } from "./call.ts";
import { joinLatest } from "./latest-events.ts";
import { type Live, LiveConnection, type LiveEvent } from "./live-connection.ts";
import { createInvalidator } from "./live-queries.ts";
import { authStateQuery } from "./queries.ts";

/** A browser has only six connections to a server without HTTP/2: hidden pages must not hold one forever. */
const HIDDEN_MS = 60_000;
const NOTHING: readonly LiveEvent[] = [];
const BEGINNING: Live = { state: "connecting", since: null, lastAt: null };

let live = BEGINNING;
let latest: { organization: string; events: readonly LiveEvent[] } = { organization: "", events: [] };
let connection: LiveConnection | null = null;
/** No stream has started since the page was loaded. */
let isFirst = true;
const watchers = new Set<() => void>();

function tell(): void {
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const reconnect = () => connection?.reconnect();

/** The state of the stream. */
export function useLive(): Live & { reconnect: () => void } {
  const state = useSyncExternalStore(watch, () => live);
  return useMemo(() => ({ ...state, reconnect }), [state]);
}

/** Whether the page shows the last known state instead of the current one. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(watch, () => live.state === "lost" || live.state === "paused");
}

/** The events since the page loaded that this person may read, the newest last. */
export function useLatestEvents(organization: string): readonly LiveEvent[] {
  const news = useSyncExternalStore(watch, () => latest);
  return news.organization === organization ? news.events : NOTHING;
}

/**
 * Listens to an organization until it is stopped; only one at a time.
 * @param organization its name, as in addresses
 */
export function startLive(organization: string, client: QueryClient): () => void {
  const invalidator = createInvalidator(client, after);
  const started = new LiveConnection(
    { organization, since: takeCursor(client) },
    {
      open: (address) => new EventSource(address),
      now: Date.now,
      after,
      // A hidden page is not painted.
      nextFrame: (run) => (document.hidden ? after(1_000, run) : requestAnimationFrame(run)),
      random: Math.random,
    },
    {
      onState(next) {
        live = next;
        tell();
      },
      onChanges(events) {
        const news = events.filter(({ text }) => text !== null);
        if (news.length > 0) {
          const former = latest.organization === organization ? latest.events : [];
          latest = { organization, events: joinLatest(former, news) };
          tell();
        }
        invalidator.apply(events);
      },
      onReset: invalidator.all,
      onEnd(code) {
        if (code === "unauthenticated") noteSignedOut();
        else void client.invalidateQueries({ queryKey: ["organizations"] });
      },
      onRefused: () => void askWhy(organization, client),
    },
  );
  connection = started;
  const stopWatching = watchPage(started);
  return () => {
    stopWatching();
    started.stop();
    invalidator.stop();
    if (connection === started) connection = null;
    live = BEGINNING;
    tell();
  };
}

/**
 * The page's first data is older than its stream: by half a second, or by minutes on a bad network. Only for the page's
 * first stream: the cursor may be read again later, when another organization's lists are older than it.
 */
function takeCursor(client: QueryClient): string | null {
  if (!isFirst) return null;
  isFirst = false;
  return client.getQueryData(authStateQuery.queryKey)?.event_cursor ?? null;
}

/** Watches for the reader's and the network's return. */
function watchPage(started: LiveConnection): () => void {
  const isShared = hasOneConnection();
  let cancelPause = () => {};
  const onVisible = () => {
    cancelPause();
    if (!document.hidden) started.reconnect();
    else if (!isShared) cancelPause = after(HIDDEN_MS, () => started.pause());
  };
  const stopWatching = watchSignedOut(() => {
    if (!readSignedOut()) started.resume();
  });
  const onOnline = () => started.reconnect();
  const onFocus = () => live.state === "paused" && started.reconnect();
  window.addEventListener("online", onOnline);
  window.addEventListener("focus", onFocus);
  document.addEventListener("visibilitychange", onVisible);
  return () => {
    cancelPause();
    stopWatching();
    window.removeEventListener("online", onOnline);
    window.removeEventListener("focus", onFocus);
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/** Whether all pages share one connection to the server, as in HTTP/2 and HTTP/3. */
function hasOneConnection(): boolean {
  const [page] = performance.getEntriesByType("navigation");
  return page instanceof PerformanceNavigationTiming && /^h[23]/.test(page.nextHopProtocol);
}

/** The stream was refused because the session or the membership has ended, or temporarily: then it is tried again. */
async function askWhy(organization: string, client: QueryClient): Promise<void> {
  const state = await readAnswer<AuthState>("/auth/state").catch(() => null);
  if (!state) return;
  if (!state.user) noteSignedOut();
  else if (!state.user.organizations.some(({ name }) => name === organization))
    void client.invalidateQueries({ queryKey: ["organizations"] });
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
