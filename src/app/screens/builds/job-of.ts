import type { Build } from "#api/gen/json-types.ts";
import { cutText } from "../../format.ts";

interface Fact {
  text: string;
  /** "": unknown. */
  href: string;
}

interface Job {
  request: Fact | null;
  workflow: Fact | null;
}

const MAX_TEXT = 40;

/** A build's CI job: the claims of its provider; otherwise the labels `pull_request`, `workflow` and `run_url`. */
export function jobOf({ job, labels }: Pick<Build, "job" | "labels">): Job {
  if (job) {
    const { pull_request: number, pull_request_url: url, workflow, run_url: run } = job;
    return {
      request: number ? factOf(`#${number}`, url) : null,
      workflow: workflow || run ? factOf(workflow || "run", run) : null,
    };
  }
  const { pull_request: request = "", workflow = "", run_url: run = "" } = labels;
  return {
    request: request ? factOf(nameRequest(request), request) : null,
    workflow: workflow || isWeb(run) ? factOf(workflow || "run", run) : null,
  };
}

const factOf = (text: string, href: string): Fact => ({
  text: cutText(text, MAX_TEXT),
  href: isWeb(href) ? href : "",
});

/** Anyone can write this text: it is linked only when it leads to the web. */
const isWeb = (href: string) => /^https?:\/\/[^\s/]+\//.test(href) && URL.canParse(href);

/** `https://github.com/acme/web/pull/418` and `418` are `#418`. */
function nameRequest(request: string): string {
  const number = /^#?(\d{1,12})$/.exec(request)?.[1] ?? /\/(\d{1,12})\/?$/.exec(request)?.[1];
  return number === undefined ? request : `#${number}`;
}
