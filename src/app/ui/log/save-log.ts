import { stripAnsi } from "./ansi.ts";
import type { LogLines } from "./log-lines.ts";

/** The lines of this page as a file, without colours. */
export function saveLog(log: LogLines, name: string): void {
  const parts: string[] = [];
  for (let position = 0; position < log.count; position++)
    parts.push(stripAnsi(log.line(position)?.text ?? ""), "\n");
  const address = URL.createObjectURL(new Blob(parts, { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
