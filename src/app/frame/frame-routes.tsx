/** Address → screen. Each screen is a chunk of its own; the overview's comes with the frame. */
import { type ComponentType, lazy, Suspense } from "react";
import { Navigate, Route, Routes, useLocation, useParams } from "react-router";
import { useHere } from "../data/organization.ts";
import { OverviewScreen } from "../screens/overview/overview.tsx";
import { Loading } from "../ui/loading.tsx";
import { MissingScreen } from "../screens/missing.tsx";
import { NoOrganization } from "../screens/no-organization.tsx";

function screen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await load())[name] }));
}

const ProjectsScreen = screen(() => import("../screens/projects/projects.tsx"), "ProjectsScreen");
const ProjectScreen = screen(() => import("../screens/projects/project.tsx"), "ProjectScreen");
const ProjectSettingsScreen = screen(
  () => import("../screens/projects/project-settings.tsx"),
  "ProjectSettingsScreen",
);
const MembersScreen = screen(() => import("../screens/settings/members.tsx"), "MembersScreen");
const TokensScreen = screen(() => import("../screens/settings/tokens.tsx"), "TokensScreen");
const TrustScreen = screen(() => import("../screens/settings/trust.tsx"), "TrustScreen");
const AuditScreen = screen(() => import("../screens/settings/audit.tsx"), "AuditScreen");
const UsageScreen = screen(() => import("../screens/usage/usage.tsx"), "UsageScreen");
const MeScreen = screen(() => import("../screens/me/me.tsx"), "MeScreen");
const ReferenceScreen = screen(() => import("../reference/reference.tsx"), "ReferenceScreen");
const DocumentationScreens = screen(
  () => import("../screens/documentation/documentation.tsx"),
  "DocumentationScreens",
);

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
