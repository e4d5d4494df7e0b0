/** The room's only door. */
export type { Build, Builds, LayerCache, LogLine, Step } from "./builds.ts";
export { type BuildDoor, DOOR_NAME, TUNNEL_PATH } from "./door.ts";
export { openBuildAuthority, sealedAuthority } from "./authority.ts";
export { createBuilds, type RunningBuilds } from "./create-builds.ts";
export type { BuildersOptions } from "./machine/machine.ts";
export { createBuilders } from "./machine/builders.ts";
export { parseDownload } from "./machine/download-buildkitd.ts";
export { noteSpoiled } from "./records/note-spoiled.ts";
export { findBuildkitd } from "./machine/find-buildkitd.ts";
export { openApi } from "./kubernetes/api.ts";
export { createKubernetesBuilders } from "./kubernetes/builders.ts";
export { findCluster } from "./kubernetes/cluster-access.ts";
export { openRegistryDoor } from "./kubernetes/registry-door.ts";
export { type BuildProxy, createBuildProxy } from "./proxy/create-build-proxy.ts";
export { createTunnelTokens } from "./tunnel-tokens.ts";
export { MAX_STREAMS, MAX_STREAMS_PER_CALLER } from "./limits.ts";
export { buildMigrations, type BuildTables } from "./schema.ts";
