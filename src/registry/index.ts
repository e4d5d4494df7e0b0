/** The room's only door. */
export { createRegistry } from "./create-registry.ts";
export { createRegistryHandler } from "./http/handler.ts";
export { type CredentialsByHost, parseDockerConfig } from "./mirror/credentials.ts";
export { parseMirrorHosts, DEFAULT_MIRROR_HOSTS } from "./mirror/hosts.ts";
export { DEFAULT_MIRROR_QUOTA_BYTES, MAX_CREDENTIALS_BYTES } from "./mirror/limits.ts";
export { type MirrorCredentials, type Mirrors, sealedMirrorPasswords } from "./mirror/mirror-credentials.ts";
export { ROUTES as registryRoutes } from "./http/routes.ts";
export type { Image, ImagePlatform, Images, RepositorySummary } from "./images/types.ts";
export type { Registry } from "./registry.ts";
export { registryMigrations, type RegistryTables } from "./schema.ts";
export { createTraffic as createRegistryTraffic, type Traffic as RegistryTraffic } from "./traffic.ts";
