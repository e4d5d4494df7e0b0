import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src/site",
  // The build writes to a folder of its own, which replaces the served one when it is complete.
  buildDirectory: process.env["SITE_BUILD_DIR"] ?? ".cache/site",
  ssr: true,
  // Few routes: their manifest is one small file, and no request asks the server for routes.
  routeDiscovery: { mode: "initial" },
  splitRouteModules: false,
} satisfies Config;
