import type { SearchAction } from "#telemetry/index.ts";

const DOCS_PATH = /^\/docs(?:\/[a-z0-9-]+)*(?:#[\w.-]+)?$/;

/** The redirect that the form describes, or its error. The server checks again, because it knows the pages. */
export function readMove(from: string, form: FormData): SearchAction | { problem: string } {
  const to = String(form.get("to") ?? "").trim();
  if (DOCS_PATH.test(to)) return { kind: "moved", from, to };
  return { problem: `"${to}" is not a path of the documentation: use a path like /docs/cache/overview.` };
}
