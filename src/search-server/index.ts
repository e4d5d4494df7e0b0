/** The room's only public module. */
export { type AnsweredSearch, searchesOf } from "./answer.ts";
export { answerSearchFailure } from "./answer-failure.ts";
export { CATALOG_FILE, filesNamedBy } from "./catalog/named-files.ts";
export { migrations as catalogMigrations } from "./catalog/schema.ts";
export { type ContentService, openContentService } from "./content-service.ts";
export { createMeilisearchProvider, IndexFileError, openEmbeddedProvider } from "./provider.ts";
export { pushRecords } from "./push-records.ts";
export { createSearchRoutes, type SearchRoutes } from "./routes.ts";
export { createSearchStore } from "./store.ts";
