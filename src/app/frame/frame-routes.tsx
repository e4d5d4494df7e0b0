/** Address → screen, drawn. The table is in `screen-loads.ts`. */
import { type ComponentType, lazy, Suspense, useState } from "react";
import { Navigate, Route, Routes, useLocation, useParams } from "react-router";
import { useHere } from "../data/organization.ts";
import { OverviewScreen } from "../screens/overview/overview.tsx";
import { Loading } from "../ui/loading.tsx";
import { MissingScreen } from "../screens/missing.tsx";
import { NoOrganization } from "../screens/no-organization.tsx";
import { ORGANIZATION_SCREENS, type ScreenCode, SCREENS } from "./screen-loads.ts";
import { ORGANIZATION } from "./screen-path.ts";

interface Screen {
  path: string;
  Component: ComponentType;
}

/** A screen that is loaded before its first render is drawn immediately; React delays updates after a fallback was shown. */
function screenOf({ path, load, read }: ScreenCode): Screen {
  const Awaited = lazy(async () => ({ default: await load() }));
  function Component() {
    // The same type as long as it is shown: another type would be a new screen.
    const [Shown] = useState<ComponentType>(() => read() ?? Awaited);
    return <Shown />;
  }
  return { path, Component };
}

const OWN_SCREENS = SCREENS.map(screenOf);
const INNER_SCREENS = ORGANIZATION_SCREENS.map(screenOf);

/** First parts of addresses below `/app` that are not organizations. */
const OWN_PLACES = new Set(["api", "me", "dev"]);

/** The organization that an address names, if it belongs to one. */
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
        {OWN_SCREENS.map(routeOf)}
        <Route path={`${ORGANIZATION}/*`} element={<OrganizationRoutes />} />
        <Route path="*" element={<MissingScreen />} />
      </Routes>
    </Suspense>
  );
}

const routeOf = ({ path, Component }: Screen) => <Route key={path} path={path} Component={Component} />;

/** Framed like every screen: nothing moves when the screen arrives. */
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
      <Route path="/settings" element={<Inner to="settings/members" />} />
      {INNER_SCREENS.map(routeOf)}
      <Route path="*" element={<MissingScreen />} />
    </Routes>
  );
}

function Inner({ to }: { to: string }) {
  const { org } = useParams();
  return <Navigate to={`/app/${org}/${to}`} replace />;
}

/** `/app`: the overview of the organization viewed last. */
function Home() {
  const { organization } = useHere();
  const { search } = useLocation();
  return organization ? <Navigate to={`/app/${organization.name}${search}`} replace /> : <NoOrganization />;
}
