/** Address → code of its screen; each is a chunk of its own. Without React: it is requested before React is loaded. */
import type { ComponentType } from "react";
import { isAt, ORGANIZATION } from "./screen-path.ts";

export interface ScreenCode {
  /** The path in the routes. */
  path: string;
  load: () => Promise<ComponentType>;
  /** Undefined until it is loaded. */
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

/** Below an organization's address. The overview is part of the frame's code. */
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

/** The screen of an address; undefined for screens in the frame's code, and for unknown addresses. */
function findScreen(pathname: string): ScreenCode | undefined {
  return (
    SCREENS.find(({ path }) => isAt(path, pathname)) ??
    ORGANIZATION_SCREENS.find(({ path }) => isAt(ORGANIZATION + path, pathname))
  );
}

/** Fetches the code of an address's screen. @returns when it is loaded, or known to have failed */
export async function loadScreen(pathname: string): Promise<void> {
  // A failure is reported in the screen's place.
  await findScreen(pathname)
    ?.load()
    .catch(() => {});
}
