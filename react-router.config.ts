import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/site",
  // The build writes to a separate folder, which replaces the served folder when it is complete.
  buildDirectory: process.env["SITE_BUILD_DIR"] ?? ".cache/site",
  ssr: true,
  // Few routes: their manifest is one small file, and no request fetches routes from the server.
  routeDiscovery: { mode: "initial" },
  splitRouteModules: false,
} satisfies Config;
