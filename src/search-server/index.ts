/** The room's only public module. */
export { answerSearchFailure } from "./answers/answer-failure.ts";
export { CATALOG_FILE, filesNamedBy } from "./catalog/named-files.ts";
export { migrations as catalogMigrations } from "./catalog/schema.ts";
export { type ContentService, openContentService } from "./changes/content-service.ts";
export { ROUTES } from "./keys/route-rights.ts";
export { openEmbeddedProvider } from "./provider.ts";
export { searchRoom, type SiteIndex, type TranslatedIndex } from "./open-search.ts";
export { searchMounts } from "./search-mounts.ts";
export { createSearchRoutes, type SearchRoutes } from "./routes.ts";
export { createSearchStore } from "./catalog/store.ts";
