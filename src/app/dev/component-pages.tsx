/** Each component on a page of its own, with content that strains it: long, empty, right-to-left, 10,000 rows. */
import { type ComponentType, lazy, Suspense } from "react";
import { Link, Route, Routes } from "react-router";

interface ComponentPage {
  /** The page's address. */
  path: string;
  title: string;
  Screen: ComponentType;
}

function page<Name extends string>(
  path: string,
  title: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentPage {
  return {
    path,
    title,
    Screen: lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await load())[name] })),
  };
}

const PAGES: readonly ComponentPage[] = [
  page("parts", "Parts", () => import("./parts-page.tsx"), "PartsPage"),
  page("table", "Table", () => import("./table-page.tsx"), "TablePage"),
  page("charts", "Charts", () => import("./charts-page.tsx"), "ChartsPage"),
  page("overlays", "Dialog, menu, toast", () => import("./overlays-page.tsx"), "OverlaysPage"),
  page("channel", "Channel and lane", () => import("./channel-page.tsx"), "ChannelPage"),
  page("timeline", "Timeline", () => import("./timeline-page.tsx"), "TimelinePage"),
  page("log", "Log", () => import("./log-page.tsx"), "LogPage"),
];

export function ComponentPages() {
  return (
    <main className="page" id="content">
      <Suspense fallback={null}>
        <Routes>
          {PAGES.map(({ path, Screen }) => (
            <Route key={path} path={path} element={<Screen />} />
          ))}
          <Route path="*" element={<Contents />} />
        </Routes>
      </Suspense>
    </main>
  );
}

function Contents() {
  return (
    <>
      <h1>Components</h1>
      <ul>
        {PAGES.map(({ path, title }) => (
          <li key={path}>
            <Link className="link" to={`/${path}`}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
