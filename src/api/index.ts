/** The room's only entry point. */
export { createApi } from "./create-api.ts";
export { apiMount, apiRoom } from "./open-api.ts";
export { apiMigrations } from "./idempotency/schema.ts";
