/**
 * The application's page for a signed-in reader, with its screen's first data:
 *
 *   head        sent once the session is known: names all files, including those of the address's screen
 *   answers     a block of data at the page's end, sent when complete or when patience runs out
 *
 * Everyone else, and anyone whom the server is too busy for, gets the page as it was built; that page asks for its data.
 */
import { PassThrough, Readable } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { Context } from "hono";
import { chooseEncoding } from "#platform/http/negotiation.ts";
import { fileHeaders, type StaticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { isAt, ORGANIZATION } from "../frame/screen-path.ts";
import type { Ask, FirstAnswers } from "./first-answers.ts";
import { ANSWERS_PATIENCE_MS, MAX_PAGES_WAITING, STATE_PATIENCE_MS } from "./limits.ts";

export type AnswerFrame = (context: Context) => Promise<Response | undefined>;

interface Template {
  file: StaticFile;
  /** Up to the end of the head, without the question that the answers make unnecessary. */
  head: string;
  middle: string;
  tail: string;
  /** Path of a screen → the files that only it needs. */
  screens: { [path: string]: string[] };
}

/** @returns a handler that answers with such a page, or with nothing when the built page is sent */
export function createFramePage(files: StaticFiles | undefined, ask: (context: Context) => Ask): AnswerFrame {
  const template = files && readTemplate(files);
  // Its queries import React libraries that check on loading whether this is production: the server knows by now.
  const loading = import("./first-answers.ts");
  let waiting = 0;
  return async (context) => {
    const { req } = context;
    const cookie = req.header("cookie") ?? "";
    // Only for opened pages: an image with this address must not cost the server a dozen questions.
    const isOpened = req.method === "GET" && req.header("sec-fetch-dest") === "document";
    if (!template || !isOpened || !cookie.includes("millrace-session=")) return undefined;
    const { askFirst } = await loading;
    if (waiting >= MAX_PAGES_WAITING) return undefined;
    waiting += 1;
    const url = new URL(req.url);
    const answers = askFirst({ url, cookie, ask: ask(context) });
    const finished = inTime(answers.finished, ANSWERS_PATIENCE_MS).then(() => {
      waiting -= 1;
      return answers.take();
    });
    if (!(await inTime(answers.isKnown, STATE_PATIENCE_MS))) return undefined;
    return sendPage(context, { template, url, answers, finished });
  };
}

interface Page {
  template: Template;
  url: URL;
  answers: FirstAnswers;
  finished: Promise<string>;
}

function sendPage(context: Context, { template, url, answers, finished }: Page): Response {
  const { file, head, middle, tail } = template;
  const headers = new Headers(fileHeaders(file, false));
  for (const cookie of answers.setCookies()) headers.append("Set-Cookie", cookie);
  const encoding = chooseEncoding(context.req.header("accept-encoding") ?? null, { br: true, gzip: true });
  if (encoding) headers.set("Content-Encoding", encoding);
  const body = createPacker(encoding);
  body.write(head + linksOf(template, url.pathname) + middle);
  if ("flush" in body) body.flush();
  void finished.then((text) => {
    // The reader may have left.
    if (body.destroyed) return;
    body.end(`<script type="application/json" id="first-answers">${text}</script>${tail}`);
  });
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { headers });
}

/** Output is sent immediately. Uses little memory, because the page is for one reader only. */
function createPacker(encoding: "br" | "gzip" | undefined) {
  if (encoding === undefined) return new PassThrough();
  if (encoding === "gzip") return createGzip({ level: 5 });
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window, BROTLI_PARAM_MODE: mode } = constants;
  return createBrotliCompress({
    params: { [quality]: 5, [window]: 17, [mode]: constants.BROTLI_MODE_TEXT },
  });
}

/** The files that only this address needs, which the browser would discover only after running code. */
function linksOf({ screens }: Template, pathname: string): string {
  const paths = Object.keys(screens);
  const path =
    paths.find((own) => isAt(own, pathname)) ?? paths.find((inner) => isAt(ORGANIZATION + inner, pathname));
  return (screens[path ?? ""] ?? [])
    .map((name) =>
      name.endsWith(".css")
        ? `<link rel="stylesheet" crossorigin href="/app/${name}">`
        : `<link rel="modulepreload" crossorigin fetchpriority="low" href="/app/${name}">`,
    )
    .join("");
}

const WITHOUT_ANSWERS = /<!-- without-answers -->[^]*<!-- \/without-answers -->/;

/** Undefined for a page without the markers, as in tests. */
function readTemplate(files: StaticFiles): Template | undefined {
  const file = files.get("/frame");
  const [before, between, ...more] = file?.identity.toString().split(/(?=<\/(?:head|body)>)/) ?? [];
  if (!file || before === undefined || between === undefined || more.length === 0) return undefined;
  return {
    file,
    head: before.replace(WITHOUT_ANSWERS, ""),
    middle: between,
    tail: more.join(""),
    // Made by vite.config.ts.
    screens: JSON.parse(files.get("/screens.json")?.identity.toString() ?? "{}") as Template["screens"],
  };
}

/** Undefined when it takes longer. */
async function inTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, milliseconds, undefined)));
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
