import { Outlet } from "react-router";
import { SiteFrame } from "../marketing/site-frame.tsx";
import sheet from "../styles/sheet-product.css?url";
import type { Route } from "./+types/product-layout";

export function links(): Route.LinkDescriptors {
  return [{ rel: "stylesheet", href: sheet }];
}

export default function ProductLayoutRoute() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}
