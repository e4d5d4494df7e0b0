/** Address → code of its screen; each is a chunk of its own. Without React: it is asked for before React has come. */
import type { ComponentType } from "react";
import { isAt, ORGANIZATION } from "./screen-path.ts";

export interface ScreenCode {
  /** As the routes know it. */
  path: string;
  load: () => Promise<ComponentType>;
  /** Undefined until it has come. */
  read: () => ComponentType | undefined;
}

function screen<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ScreenCode {
  let component: ComponentType | undefined;
  return { path, load: async () => (component = (await load())[name]), read: () => component };
}

export const SCREENS: readonly ScreenCode[] = [
  screen("/app/me", () => import("../screens/me/me.tsx"), "MeScreen"),
  screen("/app/api", () => import("../reference/reference.tsx"), "ReferenceScreen"),
  screen("/console/*", () => import("../screens/documentation/documentation.tsx"), "DocumentationScreens"),
];

/** Below an organization's address. The overview comes with the frame. */
export const ORGANIZATION_SCREENS: readonly ScreenCode[] = [
  screen("/builds", () => import("../screens/builds/builds.tsx"), "BuildsScreen"),
  screen("/builds/:build", () => import("../screens/builds/build.tsx"), "BuildScreen"),
  screen("/projects", () => import("../screens/projects/projects.tsx"), "ProjectsScreen"),
  screen("/projects/:project", () => import("../screens/projects/project.tsx"), "ProjectScreen"),
  screen(
    "/projects/:project/settings",
    () => import("../screens/projects/project-settings.tsx"),
    "ProjectSettingsScreen",
  ),
  screen("/images", () => import("../screens/images/latest-images.tsx"), "LatestImagesScreen"),
  screen("/images/:project", () => import("../screens/images/images.tsx"), "ImagesScreen"),
  screen("/cache", () => import("../screens/cache/cache.tsx"), "CacheScreen"),
  screen("/cache/:tool", () => import("../screens/cache/cache-tool.tsx"), "CacheToolScreen"),
  screen("/runners/builders", () => import("../screens/builders/builders.tsx"), "BuildersScreen"),
  screen("/settings/members", () => import("../screens/settings/members.tsx"), "MembersScreen"),
  screen("/settings/tokens", () => import("../screens/settings/tokens.tsx"), "TokensScreen"),
  screen("/settings/trust", () => import("../screens/settings/trust.tsx"), "TrustScreen"),
  screen("/settings/audit", () => import("../screens/settings/audit.tsx"), "AuditScreen"),
  screen("/usage", () => import("../screens/usage/usage.tsx"), "UsageScreen"),
];

/** The screen of an address; undefined for those that come with the frame, and for none. */
function findScreen(pathname: string): ScreenCode | undefined {
  return (
    SCREENS.find(({ path }) => isAt(path, pathname)) ??
    ORGANIZATION_SCREENS.find(({ path }) => isAt(ORGANIZATION + path, pathname))
  );
}

/** Fetches the code of an address's screen. @returns when it has come, or when it is known that it cannot */
export async function loadScreen(pathname: string): Promise<void> {
  // What cannot be loaded is told of where the screen would stand.
  await findScreen(pathname)
    ?.load()
    .catch(() => {});
}
