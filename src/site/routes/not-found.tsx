import { data } from "react-router";
import { siteConfig } from "#config";
import type { Route } from "./+types/not-found";
import { NotFound } from "../marketing/not-found.tsx";

export function loader() {
  return data(null, 404);
}

export function meta(): Route.MetaDescriptors {
  return [{ title: `Page not found – ${siteConfig.name}` }, { name: "robots", content: "noindex" }];
}

export default NotFound;
