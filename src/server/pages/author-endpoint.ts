import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";
import { readRankedQuestions, readWholeQuestions } from "#docs/author/relevance-questions.ts";
import { type AuthorState, reportPage, tryQuery } from "#docs/author/report-page.ts";

/** Also in the author's panel: `src/site/docs/author/ask-server.ts`. */
const ADDRESS = "/dev/page";
const MAX_PATH_CHARACTERS = 300;
const PATH = /^\/docs(?:\/[a-z0-9-]+)*$/;

interface Options {
  /** The repository. */
  root: string;
  state: () => AuthorState;
}

/**
 * The author's panel's requests to the development server; no other server has this address.
 *
 *     GET /dev/page?path=/docs/cache/overview            the page's problems, records and questions
 *     GET /dev/page?path=/docs/cache/overview&q=words    the pages found for words, and this page's rank
 */
export function authorEndpoint(options: Options): Plugin {
  return {
    name: "millrace:author-endpoint",
    configureServer(server) {
      server.middlewares.use(ADDRESS, (request, response) => send(response, answer(request, options)));
    },
  };
}

interface Answer {
  status: number;
  body: object;
}

function answer({ method, url = "" }: IncomingMessage, { root, state }: Options): Answer {
  if (method !== "GET") return refuse(405, `${ADDRESS} accepts only GET.`);
  const question = new URL(url, "http://localhost").searchParams;
  const path = question.get("path") ?? "";
  if (path.length > MAX_PATH_CHARACTERS || !PATH.test(path))
    return refuse(400, `"path" must be the path of a page, like /docs/cache/overview.`);
  const query = question.get("q");
  if (query !== null) return { status: 200, body: tryQuery(state(), path, query) };
  const report = reportPage(state(), path, readQuestions(root));
  return report
    ? { status: 200, body: report }
    : refuse(404, `There is no page at ${path}. \`npm run new-page\` creates one.`);
}

/** Read each time, so that an author who edits a question sees the new rank. */
function readQuestions(root: string) {
  const [ranked, whole] = [readRankedQuestions(root), readWholeQuestions(root)];
  return {
    questions: [...ranked.questions, ...whole.questions],
    problems: [...ranked.problems, ...whole.problems],
  };
}

const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
  });
  response.end(JSON.stringify(body));
}
