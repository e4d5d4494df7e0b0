import type { Handler } from "hono";
import { ApiError } from "../protocol/errors.ts";

/** The protocol's answer to an unknown address. */
export const refuseUnknown: Handler = ({ req }) => {
  throw new ApiError("not_found", `${req.method} ${req.path} is not a route of this server.`);
};

/** The protocol's answer to a method that an address does not support. */
export const refuseMethod: Handler = ({ req }) => {
  throw new ApiError("method_not_allowed", `${req.path} does not support ${req.method}.`);
};
