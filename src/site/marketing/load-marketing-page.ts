import { data, type RouterContextProvider } from "react-router";
import { pageAddresses } from "../editions.ts";
import { documentPartsContext, siteSourceContext } from "../site-source.ts";

/** The loader of every marketing route. A document contains the HTML once; for a client navigation it is in `.data`. */
export async function loadMarketingPage(request: Request, context: Readonly<RouterContextProvider>) {
  const { origin, image } = context.get(siteSourceContext);
  const parts = context.get(documentPartsContext);
  // Loaded on demand, because a running server serves these pages from files.
  const { renderMarketingPage } = await import("./.server/render.tsx");
  const path = new URL(request.url).pathname.replace(/(\.data)?\/?$/, "").replace(/^\/_$/, "") || "/";
  const rendered = await renderMarketingPage(path, origin);
  if (!rendered) throw data(null, 404);
  parts.body = rendered.html;
  return {
    page: { ...rendered.page, image: image(path), ...pageAddresses(origin, path) },
    origin,
    html: parts.isDocument ? null : rendered.html,
  };
}
