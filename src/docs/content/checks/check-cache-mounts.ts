import type { ContentProblem, Page } from "../types.ts";

/** Flags that fail if the directory is empty: BuildKit may empty a cache mount but keep the layers around it. */
const NEEDS_CONTENT = /(?:^|\s)(--offline|--no-restore)(?:\s|$)/m;

/** Finds Dockerfile steps that rely on files of an earlier step in a cache mount. */
export function checkCacheMounts(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap((page) =>
    page.samples
      .filter(({ language }) => language === "dockerfile")
      .flatMap(({ code, line }) =>
        stepsOf(code).flatMap((step): ContentProblem[] => {
          const flag = step.text.includes("--mount=type=cache")
            ? NEEDS_CONTENT.exec(step.text)?.[1]
            : undefined;
          if (flag === undefined) return [];
          const message = `With "${flag}" the step fails when its cache mount is empty.`;
          const fix = `Remove ${flag}, or let the tool prefer cached files (--prefer-offline).`;
          return [
            { file: page.file, line: line + step.at, rule: "cache-mount", severity: "error", message, fix },
          ];
        }),
      ),
  );
}

/** The RUN instructions, each with its continued lines. */
function stepsOf(code: string): { text: string; at: number }[] {
  const lines = code.split("\n");
  return lines.flatMap((line, at) => {
    if (!line.startsWith("RUN ")) return [];
    const end = lines.findIndex((next, index) => index >= at && !next.endsWith("\\"));
    return [{ text: lines.slice(at, end < 0 ? undefined : end + 1).join("\n"), at }];
  });
}
