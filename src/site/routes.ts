import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("status", "routes/status.tsx"),
  layout("routes/docs-layout.tsx", [route("docs/*", "routes/docs-page.tsx")]),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
