/** The room's only entry point. */
export type { Build, Builds, LayerCache, LogLine, ServerMachine, Step } from "./contract/builds.ts";
export { TUNNEL_PATH } from "./contract/builder-endpoint.ts";
export { openBuildAuthority } from "./certificates/authority.ts";
export { buildRoom } from "./open/open-builds.ts";
export { buildkitdSources } from "./open/open-builders.ts";
export { buildxFile } from "./open/setup-command.ts";
export { createBuilds } from "./open/create-builds.ts";
export { createBuilders } from "./machine/builders.ts";
export { killGroup, withoutControls } from "./machine/check/try-run.ts";
export { findUser, type SystemUser } from "./setup/find-user.ts";
export { SetupError } from "./setup/run-command.ts";
export { setUpBuilders } from "./setup/set-up-builders.ts";
export { BUILDKIT_VERSION, GO_ARCHITECTURES } from "./setup/versions.ts";
export { openApi } from "./kubernetes/api.ts";
export { CALLS as builderCalls } from "./proxy/calls.ts";
export { MAX_STREAMS, MAX_STREAMS_PER_CALLER, MAX_STREAMS_PER_ORGANIZATION } from "./contract/limits.ts";
export { buildMigrations, type BuildTables } from "./tables/schema.ts";
