/** Address → screen. Each screen is a chunk of its own; the overview's comes with the frame. */
import { type ComponentType, lazy, Suspense } from "react";
import { Navigate, Route, Routes, useLocation, useParams } from "react-router";
import { useHere } from "../data/organization.ts";
import { OverviewScreen } from "../screens/overview/overview.tsx";
import { Loading } from "../ui/loading.tsx";
import { MissingScreen } from "../screens/missing.tsx";
import { NoOrganization } from "../screens/no-organization.tsx";

const load = {
  projects: () => import("../screens/projects/projects.tsx"),
  project: () => import("../screens/projects/project.tsx"),
  projectSettings: () => import("../screens/projects/project-settings.tsx"),
  cache: () => import("../screens/cache/cache.tsx"),
  cacheTool: () => import("../screens/cache/cache-tool.tsx"),
  members: () => import("../screens/settings/members.tsx"),
  tokens: () => import("../screens/settings/tokens.tsx"),
  trust: () => import("../screens/settings/trust.tsx"),
  audit: () => import("../screens/settings/audit.tsx"),
  usage: () => import("../screens/usage/usage.tsx"),
  me: () => import("../screens/me/me.tsx"),
  reference: () => import("../reference/reference.tsx"),
  documentation: () => import("../screens/documentation/documentation.tsx"),
};

function screen<Name extends string>(loadIt: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await loadIt())[name] }));
}

const ProjectsScreen = screen(load.projects, "ProjectsScreen");
const ProjectScreen = screen(load.project, "ProjectScreen");
const ProjectSettingsScreen = screen(load.projectSettings, "ProjectSettingsScreen");
const CacheScreen = screen(load.cache, "CacheScreen");
const CacheToolScreen = screen(load.cacheTool, "CacheToolScreen");
const MembersScreen = screen(load.members, "MembersScreen");
const TokensScreen = screen(load.tokens, "TokensScreen");
const TrustScreen = screen(load.trust, "TrustScreen");
const AuditScreen = screen(load.audit, "AuditScreen");
const UsageScreen = screen(load.usage, "UsageScreen");
const MeScreen = screen(load.me, "MeScreen");
const ReferenceScreen = screen(load.reference, "ReferenceScreen");
const DocumentationScreens = screen(load.documentation, "DocumentationScreens");

/** What stands at an address, as the routes below name it. The overview is here already. */
const LOADS: readonly [address: RegExp, load: () => Promise<unknown>][] = [
  [/^\/app\/me$/, load.me],
  [/^\/app\/api$/, load.reference],
  [/^\/app\/[^/]+\/projects$/, load.projects],
  [/^\/app\/[^/]+\/projects\/[^/]+$/, load.project],
  [/^\/app\/[^/]+\/projects\/[^/]+\/settings$/, load.projectSettings],
  [/^\/app\/[^/]+\/cache$/, load.cache],
  [/^\/app\/[^/]+\/cache\/[^/]+$/, load.cacheTool],
  [/^\/app\/[^/]+\/settings(?:\/members)?$/, load.members],
  [/^\/app\/[^/]+\/settings\/tokens$/, load.tokens],
  [/^\/app\/[^/]+\/settings\/trust$/, load.trust],
  [/^\/app\/[^/]+\/settings\/audit$/, load.audit],
  [/^\/app\/[^/]+\/usage$/, load.usage],
  [/^\/console(?:\/|$)/, load.documentation],
];

/** Fetches the code of an address's screen before the frame around it is drawn. */
export function loadScreen(pathname: string): void {
  const path = pathname.replace(/\/$/, "");
  // What cannot be loaded is told of where the screen would stand.
  LOADS.find(([address]) => address.test(path))?.[1]().catch(() => {});
}

/** First parts of addresses below `/app` that are no organization. */
const OWN_PLACES = new Set(["api", "me", "dev"]);

/** The organization that an address names, if it is one of an organization. */
export function organizationOf(pathname: string): string | undefined {
  const [, root, name] = pathname.split("/");
  if (root !== "app" || !name || OWN_PLACES.has(name)) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function FrameRoutes() {
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Routes>
        <Route path="/app" element={<Home />} />
        <Route path="/app/me" element={<MeScreen />} />
        <Route path="/app/api" element={<ReferenceScreen />} />
        <Route path="/app/:org/*" element={<OrganizationRoutes />} />
        <Route path="/console/*" element={<DocumentationScreens />} />
        <Route path="*" element={<MissingScreen />} />
      </Routes>
    </Suspense>
  );
}

/** Framed as every screen is: nothing moves when the screen comes. */
function LoadingScreen() {
  return (
    <main className="page" id="content">
      <Loading what="the page" />
    </main>
  );
}

function OrganizationRoutes() {
  const { organization } = useHere();
  if (!organization) return <MissingScreen />;
  return (
    <Routes>
      <Route path="/" element={<OverviewScreen />} />
      <Route path="/projects" element={<ProjectsScreen />} />
      <Route path="/projects/:project" element={<ProjectScreen />} />
      <Route path="/projects/:project/settings" element={<ProjectSettingsScreen />} />
      <Route path="/cache" element={<CacheScreen />} />
      <Route path="/cache/:tool" element={<CacheToolScreen />} />
      <Route path="/settings" element={<Inner to="settings/members" />} />
      <Route path="/settings/members" element={<MembersScreen />} />
      <Route path="/settings/tokens" element={<TokensScreen />} />
      <Route path="/settings/trust" element={<TrustScreen />} />
      <Route path="/settings/audit" element={<AuditScreen />} />
      <Route path="/usage" element={<UsageScreen />} />
      <Route path="*" element={<MissingScreen />} />
    </Routes>
  );
}

function Inner({ to }: { to: string }) {
  const { org } = useParams();
  return <Navigate to={`/app/${org}/${to}`} replace />;
}

/** `/app`: the overview of the organization that was looked at last. */
function Home() {
  const { organization } = useHere();
  const { search } = useLocation();
  return organization ? <Navigate to={`/app/${organization.name}${search}`} replace /> : <NoOrganization />;
}
