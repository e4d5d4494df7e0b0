import type { ContentProblem, Page } from "../types.ts";
import { readShell } from "./shell-commands.ts";
import { shellSources } from "./shell-sources.ts";

/** Finds shell text that a shell would reject, in any sample. */
export function checkShell(pages: readonly Page[]): ContentProblem[] {
  return pages.flatMap((page) =>
    page.samples.flatMap((sample) =>
      shellSources(sample).flatMap((source) =>
        readShell(source.text).mistakes.map(({ message, line }): ContentProblem => {
          const written = source.text.split("\n")[line - 1]?.trim() ?? "";
          return {
            file: page.file,
            line: source.line + line - 1,
            rule: "shell",
            severity: "error",
            message: `Not valid shell: ${message}.`,
            fix: `Fix it, or mark the block as \`\`\`text: ${written}`,
          };
        }),
      ),
    ),
  );
}
