/** The room's only entry point. */
export { createRegistry } from "./create-registry.ts";
export { createRegistryHandler } from "./http/handler.ts";
export { createTraffic as createRegistryTraffic } from "./http/traffic.ts";
export { createBuilderEndpoint } from "./builder-endpoint.ts";
export { parseMirrorHosts } from "./mirror/names/hosts.ts";
export { registryRoom } from "./open-registry.ts";
export type { MirrorCredentials, Mirrors } from "./contract/mirrors.ts";
export { sealedMirrorPasswords } from "./mirror/credentials/organization-credentials.ts";
export { ROUTES as registryRoutes } from "./http/routes.ts";
export type { Image, ImagePlatform, Images, RepositorySummary } from "./contract/images.ts";
export { registryMigrations, type RegistryTables } from "./contract/schema.ts";
