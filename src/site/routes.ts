import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";
import { PRODUCTS } from "./products.ts";

export default [
  layout("routes/site-layout.tsx", [
    index("routes/home.tsx"),
    route("trust", "routes/trust.tsx"),
    route("changelog", "routes/changelog.tsx"),
    route("status", "routes/status.tsx"),
    route("your-data", "routes/your-data.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
  layout(
    "routes/product-layout.tsx",
    PRODUCTS.map(({ to }) => route(to.slice(1), "routes/product.tsx", { id: `product-${to.slice(1)}` })),
  ),
  layout("routes/docs-layout.tsx", [route(":edition?/docs/*", "routes/docs-page.tsx")]),
  route("changelog.xml", "routes/changelog-feed.ts"),
] satisfies RouteConfig;
