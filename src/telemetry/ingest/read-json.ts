import type { Context } from "hono";
import type { TelemetryLimits } from "../contract/limits.ts";
import { checkJson } from "../parse/check-json.ts";
import type { Intake } from "./intake.ts";
import { inflateIfGzip, parseJson, readBytes } from "./read-body.ts";
import { createTurns } from "../parse/take-turns.ts";

export interface BodyOptions {
  intake: Intake;
  limits: TelemetryLimits;
  /** Turns the sent bytes into plain ones. Default: inflates gzip. */
  open?: (bytes: Uint8Array<ArrayBuffer>, limit: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Reads a body and passes it on in its turn, inflated and within all limits of bytes.
 * @throws Refusal, or the errors of `take`
 */
export async function readBody<Result>(
  context: Context,
  { intake, limits, open = inflateIfGzip }: BodyOptions,
  take: (bytes: Uint8Array<ArrayBuffer>) => Promise<Result>,
): Promise<Result> {
  const bytes = await readBytes(context.req.raw, limits.bodyBytes);
  return intake.lane.run(bytes.byteLength, async () => {
    const opened = await open(bytes, limits.inflatedBytes);
    intake.countBytes(context, opened.byteLength);
    return take(opened);
  });
}

/** The same for JSON, which is counted before it is parsed. The sender is removed from it. */
export function readJson<Result>(
  context: Context,
  options: BodyOptions,
  take: (json: unknown) => Promise<Result> | Result,
): Promise<Result> {
  const { intake, limits } = options;
  return readBody(context, options, async (bytes) => {
    const turns = createTurns();
    checkJson(bytes, { depth: limits.jsonDepth, tokens: limits.jsonTokens });
    await turns.after(bytes.byteLength);
    const text = intake.clean(context, new TextDecoder().decode(bytes));
    await turns.after(bytes.byteLength);
    const json = parseJson(text);
    await turns.after(bytes.byteLength);
    return take(json);
  });
}
