import { saveFile } from "../save-file.ts";
import { stripAnsi } from "./ansi.ts";
import type { LogLines } from "./log-lines.ts";

/** The lines of this page as a file, without colours. */
export function saveLog(log: LogLines, name: string): void {
  const parts: string[] = [];
  for (let position = 0; position < log.count; position++)
    parts.push(stripAnsi(log.line(position)?.text ?? ""), "\n");
  saveFile(new Blob(parts, { type: "text/plain;charset=utf-8" }), name);
}
