/** Step messages in the records, and the conversion of BuildKit's times and texts. */
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { BuildWarning, Step } from "../contract/builds.ts";
import type { VertexWarning } from "../gen/buildkit/control_pb.ts";
import { MAX_WARNING_LENGTH, MAX_WARNINGS, MAX_WARNINGS_LENGTH } from "../contract/limits.ts";
import { readStepName } from "./step-names.ts";

export const isBase = ({ isInstruction, name }: Pick<Step, "name"> & { isInstruction: boolean }) =>
  isInstruction && readStepName(name).instruction.startsWith("FROM ");

export function endingOf({
  state,
  cached,
  durationMs,
  error,
}: Pick<Step, "state" | "cached" | "durationMs" | "error">): string {
  if (state === "canceled") return "CANCELED";
  if (state === "failed") return `ERROR: ${error}`;
  return cached ? "CACHED" : `DONE ${(durationMs / 1000).toFixed(1)}s`;
}

/** Text that both databases can store. */
export const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

export const toTime = (time: Timestamp | undefined): number | null =>
  time ? Math.round(timestampMs(time)) : null;

function readWarning(
  { short, detail, url, info, ranges }: VertexWarning,
  mask: (text: string) => string,
): BuildWarning {
  const show = (text: string) => mask(text).slice(0, MAX_WARNING_LENGTH);
  const decoder = new TextDecoder();
  return {
    message: show(decoder.decode(short)),
    detail: show(detail.map((each) => decoder.decode(each)).join("\n")),
    url: show(url),
    file: show(info?.filename ?? ""),
    line: ranges[0]?.start?.line ?? 0,
  };
}

/** While there is room; frontends repeat some warnings. */
export function addWarning(
  warnings: BuildWarning[],
  given: VertexWarning,
  mask: (text: string) => string,
): void {
  if (warnings.length >= MAX_WARNINGS || JSON.stringify(warnings).length > MAX_WARNINGS_LENGTH) return;
  const warning = readWarning(given, mask);
  const isKnown = warnings.some(
    ({ message, file, line }) =>
      message === warning.message && file === warning.file && line === warning.line,
  );
  if (!isKnown) warnings.push(warning);
}
