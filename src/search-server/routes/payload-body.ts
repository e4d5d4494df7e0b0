import type { Context } from "hono";
import type { PayloadBody } from "../catalog/payload-store.ts";

/** The body of a request as it arrives. @param maximum bytes */
export function payloadBody({ req }: Context, maximum: number): PayloadBody {
  const declared = req.header("content-length");
  return { stream: req.raw.body, declared: declared === undefined ? null : Number(declared), maximum };
}
