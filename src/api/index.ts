/** The room's only door. */
export { type ApiOptions, type ApiServer, createApi } from "./create-api.ts";
export { apiMigrations } from "./idempotency/schema.ts";
