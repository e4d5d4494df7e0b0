import { createHash } from "node:crypto";
import type { ErrorReport, RawFrame } from "../ingest/sentry/error-report.ts";
import type { ErrorFrame, ErrorRow } from "../types.ts";

/** Maps the frames of a report to the source and says what it is the same as. */
export function createErrorMapper(_sourceMaps: string | null): (report: ErrorReport) => ErrorRow {
  return (report) => {
    const frames = report.frames.map(unmapped);
    const { frames: _raw, ...rest } = report;
    return {
      ...rest,
      fingerprint: fingerprintOf(report, frames),
      culprit: culpritOf(frames),
      frames: JSON.stringify(frames),
    };
  };
}

function unmapped({ file, line, column, isInApp, function: name }: RawFrame): ErrorFrame {
  return {
    file: /^https?:/.test(file) && URL.canParse(file) ? new URL(file).pathname : file,
    line,
    column,
    function: name,
    isInApp,
    context: null,
  };
}

/** Equal for the same type thrown from the same functions, whatever the lines are in this release. */
export function fingerprintOf(
  { type, value }: Pick<ErrorReport, "type" | "value">,
  frames: ErrorFrame[],
): string {
  const inApp = frames.filter((frame) => frame.isInApp && frame.file !== "<anonymous>");
  const parts = inApp.slice(0, 20).map((frame) => `${frame.file}:${frame.function ?? ""}`);
  const identity = parts.length > 0 ? [type, ...parts] : [type, normalizeMessage(value)];
  return createHash("sha256").update(identity.join("\n")).digest("hex").slice(0, 32);
}

/** Numbers, identifiers and quoted words differ from one occurrence to the next. */
export function normalizeMessage(message: string): string {
  return message
    .slice(0, 500)
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{20,}\b/gi, "<id>")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, "<id>")
    .replaceAll(/\d+(?:\.\d+)?/g, "<n>");
}

function culpritOf(frames: ErrorFrame[]): string {
  const frame = frames.find((candidate) => candidate.isInApp) ?? frames[0];
  if (!frame) return "";
  return frame.function ? `${frame.file} in ${frame.function}` : frame.file;
}
