/** Lines of unchanged text around a change, as in `git diff`. */
const CONTEXT_LINES = 3;

/**
 * A patch for `git apply` that turns `before` into `after`. It has one hunk, from the first differing line to the last:
 * the changes made here are in one place. @param before null: the file is new @returns "" when nothing differs
 */
export function unifiedDiff(file: string, before: string | null, after: string): string {
  if (before === after) return "";
  const old = linesOf(before ?? "");
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end))
    end += 1;
  const from = Math.max(start - CONTEXT_LINES, 0);
  const oldTo = Math.min(old.length - end + CONTEXT_LINES, old.length);
  const nowTo = Math.min(now.length - end + CONTEXT_LINES, now.length);
  const lines = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, oldTo).map((line) => ` ${line}`),
  ];
  const range = (count: number) => (count === 0 ? "0,0" : `${from + 1},${count}`);
  return [
    `--- ${before === null ? "/dev/null" : `a/${file}`}`,
    `+++ b/${file}`,
    `@@ -${range(oldTo - from)} +${range(nowTo - from)} @@`,
    ...lines,
    "",
  ].join("\n");
}

/** Files end with a line break, which does not start another line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
