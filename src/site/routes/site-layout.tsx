import { Outlet } from "react-router";
import { SiteFrame } from "../marketing/site-frame.tsx";
import sheet from "../styles/sheet-site.css?url";
import type { Route } from "./+types/site-layout";

export function links(): Route.LinkDescriptors {
  return [{ rel: "stylesheet", href: sheet }];
}

export default function SiteLayoutRoute() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}
