/** The room's only public module. */
export { type AnsweredSearch, searchesOf } from "./answers/answer.ts";
export { answerSearchFailure } from "./answers/answer-failure.ts";
export { CATALOG_FILE, filesNamedBy } from "./catalog/named-files.ts";
export { migrations as catalogMigrations } from "./catalog/schema.ts";
export { type ContentService, openContentService } from "./changes/content-service.ts";
export { createMeilisearchProvider, IndexFileError, openEmbeddedProvider } from "./provider.ts";
export { pushRecords } from "./upstream/push-records.ts";
export { createSearchRoutes, type SearchRoutes } from "./routes.ts";
export { createSearchStore } from "./store.ts";
