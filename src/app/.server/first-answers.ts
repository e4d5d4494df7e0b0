/**
 * Answers to a page's first questions, through the browser's own code (`frame/early-reads.ts`), the same addresses and the
 * same cookie: the page contains nothing that its reader's browser could not request.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { QueryClient } from "@tanstack/react-query";
import { authStateQuery } from "../data/queries.ts";
import { createQueryClient } from "../data/query-client.ts";
import { replaceSending, type Send } from "../data/send.ts";
import { startReads } from "../frame/early-reads.ts";
import { MAX_ANSWERS_LENGTH, MAX_PAGES_OF_LIST, MAX_QUESTIONS } from "./limits.ts";

/** Answers a request to this server itself. */
export type Ask = (request: Request) => Promise<Response>;

export interface Visit {
  url: URL;
  /** The cookie of the page's own request. */
  cookie: string;
  ask: Ask;
}

export interface FirstAnswers {
  /** Whether the reader is signed in; false also when the server cannot say. */
  isKnown: Promise<boolean>;
  /** Cookies of the answer that identifies the reader. */
  setCookies: () => string[];
  /** Resolves when no question is open. */
  finished: Promise<void>;
  /** The answers that have arrived, for a page's source. Ends the other questions. */
  take: () => string;
}

const asking = new AsyncLocalStorage<Send>();

/** Asks immediately. */
export function askFirst(visit: Visit): FirstAnswers {
  replaceSending((address, init) => {
    const send = asking.getStore();
    return send
      ? send(address, init)
      : Promise.reject(new Error(`${address} was requested outside of a page.`));
  });
  const over = new AbortController();
  let setCookies: string[] = [];
  const send = limitQuestions(async (address, init) => {
    const response = await visit.ask(toRequest(visit, address, { ...init, signal: over.signal }));
    if (address === "/auth/state") setCookies = response.headers.getSetCookie();
    return response;
  });
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  // Separate, so that `isKnown` settles before the other questions are answered.
  const state = asking.run(send, () => client.fetchQuery(authStateQuery));
  const finished = asking.run(send, () => readScreen(client, state, visit.url));
  return {
    isKnown: state.then(
      ({ user }) => user !== null,
      () => false,
    ),
    setCookies: () => setCookies,
    finished,
    take() {
      over.abort();
      const text = writeAnswers(client);
      client.clear();
      return text;
    },
  };
}

async function readScreen(client: QueryClient, state: Promise<unknown>, { pathname, search }: URL) {
  await state.catch(() => {});
  // Only the browser knows which organization `/app` leads to.
  if (pathname.replace(/\/$/, "") === "/app") return;
  const { more } = await startReads(client, { pathname, search });
  await more;
  const queries = client.getQueryCache().getAll();
  await Promise.allSettled(queries.map((query) => query.promise));
}

/** The request that the page itself would send. */
function toRequest({ url, cookie }: Visit, address: string, init: RequestInit): Request {
  const headers = new Headers(init.headers);
  headers.set("Cookie", cookie);
  // Even if another site linked here: the answers go to a page of this origin, which other origins cannot read.
  headers.set("Sec-Fetch-Site", "same-origin");
  return new Request(new URL(address, url), { ...init, headers });
}

/** Two questions that differ only in the page token read the same list. */
const PAGE_TOKEN = /"page_token":"[^"]*"/;

/** A page with long lists requests the rest of them itself. */
function limitQuestions(send: Send): Send {
  let count = 0;
  const ofList = new Map<string, number>();
  return async (address, init) => {
    const list = `${address} ${typeof init.body === "string" ? init.body.replace(PAGE_TOKEN, "") : ""}`;
    const times = (ofList.get(list) ?? 0) + 1;
    ofList.set(list, times);
    count += 1;
    if (count > MAX_QUESTIONS || times > MAX_PAGES_OF_LIST)
      throw new Error(`${address} was requested too often for one page.`);
    return send(address, init);
  };
}

/** `[[key, data], …]` of the answers so far. No part of it can end a script or begin a comment. */
function writeAnswers(client: QueryClient): string {
  const written: string[] = [];
  let length = 0;
  for (const { queryKey, state } of client.getQueryCache().getAll()) {
    if (state.status !== "success") continue;
    const text = JSON.stringify([queryKey, state.data]).replaceAll("<", "\\u003c");
    if (length + text.length > MAX_ANSWERS_LENGTH) continue;
    length += text.length;
    written.push(text);
  }
  return `[${written.join(",")}]`;
}
