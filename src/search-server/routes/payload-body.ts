import type { Context } from "hono";
import { declaredBytes } from "#platform/http/read-body.ts";
import type { PayloadBody } from "../catalog/payload-store.ts";

/** The body of a request as it arrives. @param maximum bytes */
export function payloadBody({ req }: Context, maximum: number): PayloadBody {
  return { stream: req.raw.body, declared: declaredBytes(req.raw), maximum };
}
