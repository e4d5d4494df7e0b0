import type { ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import { chargeReceived, chargeWrites } from "../../fair/charge-request.ts";
import { onReceived } from "../read-body.ts";

onReceived(chargeReceived);

/** Charges the bytes of the application's answers, and of bodies, to the request's holder. */
export const chargeAnswers: MiddlewareHandler = (context, next) => {
  // `env` is passed by the adapter and has no type.
  const { outgoing } = (context.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing) chargeWrites(outgoing);
  return next();
};
