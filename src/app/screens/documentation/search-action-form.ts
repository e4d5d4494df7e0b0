import type { SearchAction } from "#telemetry/index.ts";
import type { SearchKind } from "./search-kinds.ts";

const DOCS_PATH = /^\/docs(?:\/[\w./-]*)?(?:#[\w.-]+)?$/;

/** The action that the form describes, or its error. The server checks again, because it knows the pages. */
export function readAction(
  kind: SearchKind["key"],
  query: string,
  form: FormData,
): SearchAction | { problem: string } {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  if (kind === "no-hits") {
    const words = [text("word"), ...text("same").split(",")].map((word) => word.trim()).filter(Boolean);
    const unique = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
    if (unique.length < 2)
      return { problem: "Enter the reader's word and at least one other word that means the same." };
    return { kind: "synonym", words: unique };
  }
  const path = text("path");
  if (!DOCS_PATH.test(path))
    return { problem: `"${path}" is not a path of the documentation: use a path like /docs/cache/overview.` };
  if (kind === "no-clicks") return { kind: "redirect", query, path };
  const within = text("within");
  return { kind: "relevance-test", query, path, within: within === "3" ? 3 : within === "5" ? 5 : 1 };
}
