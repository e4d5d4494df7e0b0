import type { Handler } from "hono";
import { ApiError } from "../protocol/errors.ts";

/** The protocol's answer to an unknown address: a status and nothing else, by which clients tell it from a missing document. */
export const refuseUnknown: Handler = (context) => context.body(null, 404);

/** The protocol's answer to a method that an address does not support. */
export const refuseMethod: Handler = ({ req }) => {
  throw new ApiError("method_not_allowed", `${req.path} does not support ${req.method}.`);
};
