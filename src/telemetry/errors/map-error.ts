/** An error report → a row: frames mapped to the source, and a fingerprint that equal errors share. */
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ErrorFrame, ErrorReport, ErrorRow, RawFrame } from "../contract/types.ts";
import { findEnclosingFunction } from "./enclosing-function.ts";
import { contextOf, createSourceFinder, type FindSource } from "./source-maps.ts";

/** Frames that identify an error. The outer frames only show how it was reached. */
const FINGERPRINT_FRAMES = 8;
const MAX_FRAMES = 50;

export interface ErrorMapperOptions {
  /** The folder of the build's source maps; null: none exist. */
  sourceMaps: string | null;
  /** The repository's folder. Frames of the server's own errors are named relative to it. */
  root: string;
}

export function createErrorMapper({
  sourceMaps,
  root,
}: ErrorMapperOptions): (report: ErrorReport) => ErrorRow {
  const findSource = sourceMaps ? createSourceFinder(sourceMaps) : () => null;
  return (report) => {
    const { frames: sent, ...rest } = report;
    const frames = sent
      .slice(0, MAX_FRAMES)
      .map((frame) =>
        orAsSent(frame, () =>
          report.platform === "server" ? serverFrame(frame, root) : browserFrame(frame, findSource),
        ),
      );
    return {
      ...rest,
      fingerprint: fingerprintOf(report, frames),
      culprit: culpritOf(frames),
      frames: JSON.stringify(frames),
    };
  };
}

/** A frame that cannot be mapped must not lose the report, or the rows that are written with it. */
function orAsSent(frame: RawFrame, map: () => ErrorFrame): ErrorFrame {
  try {
    return map();
  } catch {
    const { line, column, function: name, isInApp } = frame;
    return { file: baseOf(frame.file), line, column, function: name, isInApp, context: null };
  }
}

function browserFrame(frame: RawFrame, findSource: FindSource): ErrorFrame {
  const { file, line, column, debugId, isInApp } = frame;
  const found = line === null ? null : findSource({ debugId, file, line, column: column ?? 1 });
  if (!found)
    return { file: pathOfAddress(file), line, column, function: frame.function, isInApp, context: null };
  const { source, context } = found;
  return {
    file: found.file,
    line: found.line,
    column: found.column,
    function: (source && findEnclosingFunction(source, found.line)) ?? frame.function,
    isInApp: isInApp && !found.file.includes("node_modules/"),
    context,
  };
}

function pathOfAddress(file: string): string {
  return /^https?:/.test(file) && URL.canParse(file) ? new URL(file).pathname : file;
}

/** The server runs its source directly, so the file on disk has the lines. Paths of the machine are not stored. */
function serverFrame(frame: RawFrame, root: string): ErrorFrame {
  const { line, column, function: name } = frame;
  const path = frame.file.startsWith("file:") ? fileURLToPath(frame.file) : frame.file;
  const inside = relative(root, resolve(root, path));
  const isOurs = path !== "<anonymous>" && !inside.startsWith("..") && !path.startsWith("node:");
  if (!isOurs)
    return {
      file: path.startsWith("node:") ? path : baseOf(path),
      line,
      column,
      function: name,
      isInApp: false,
      context: null,
    };
  const file = inside.split(sep).join("/");
  const isInApp = !file.includes("node_modules/");
  return {
    file,
    line,
    column,
    function: name,
    isInApp,
    context: isInApp ? readContext(resolve(root, path), line) : null,
  };
}

const baseOf = (path: string) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

function readContext(file: string, line: number | null): ErrorFrame["context"] {
  // Source files only, because a frame can name any file.
  if (line === null || !/\.(?:ts|tsx|js|mjs)$/.test(file)) return null;
  try {
    return contextOf(readFileSync(file, "utf8").split("\n"), line);
  } catch {
    return null;
  }
}

/** Equal for the same type thrown from the same functions, whatever their line numbers in this release. */
export function fingerprintOf(
  { type, value }: Pick<ErrorReport, "type" | "value">,
  frames: readonly ErrorFrame[],
): string {
  const inApp = frames.filter((frame) => frame.isInApp && /[\w)]\.\w+$/.test(frame.file));
  const parts = inApp
    .slice(0, FINGERPRINT_FRAMES)
    .map((frame) => `${withoutHash(frame.file)}:${frame.function ?? ""}`);
  const identity = parts.length > 0 ? [type, ...parts] : [type, normalizeMessage(value)];
  return createHash("sha256").update(identity.join("\n")).digest("hex").slice(0, 32);
}

/** A built file's name changes with every release: `/assets/chunk-CFrkd1x3.js` → `/assets/chunk.js`. */
function withoutHash(file: string): string {
  return file.replace(/[-.][\w-]{8}(?=\.m?js$)/, "");
}

/** Numbers, identifiers and addresses differ from one occurrence to the next. */
export function normalizeMessage(message: string): string {
  return message
    .slice(0, 500)
    .replaceAll(/\bhttps?:\/\/[^\s"'`)]+/g, "<url>")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{20,}\b/gi, "<id>")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, "<id>")
    .replaceAll(/\d+(?:\.\d+)?/g, "<n>");
}

function culpritOf(frames: readonly ErrorFrame[]): string {
  const hasFile = ({ file }: ErrorFrame) => file !== "<anonymous>";
  const frame = frames.find((candidate) => candidate.isInApp) ?? frames.find(hasFile) ?? frames[0];
  if (!frame) return "";
  return frame.function ? `${frame.file} in ${frame.function}` : frame.file;
}
