import { RouterContextProvider } from "react-router";
import { documentPartsContext, siteSourceContext, type SiteSource } from "../site-source.ts";

type RouterHandler = (request: Request, context: RouterContextProvider) => Promise<Response>;

/** React Router's handler with the site's content in its context; for requests and for prerendering alike. */
export function createSiteHandler(handle: RouterHandler, source: SiteSource) {
  return (request: Request): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(siteSourceContext, source);
    const isDocument = !new URL(request.url).pathname.endsWith(".data");
    context.set(documentPartsContext, { isDocument, article: "", tree: "" });
    return handle(request, context);
  };
}
