/** The context that React Router's client expects before it starts; the same for every page of this site. */
export const ROUTER_CONTEXT = {
  basename: "/",
  future: { unstable_enableNodeReadableStream: false, unstable_optimizeDeps: false },
  routeDiscovery: { mode: "initial" },
  ssr: true,
  isSpaMode: false,
};

/** Replaces React Router's own inline scripts: sets its context, with the page's data as a stream. */
export function startRouterContext(data: string): void {
  const stream = new ReadableStream<string>({
    start(controller) {
      controller.enqueue(data);
      controller.close();
    },
  }).pipeThrough(new TextEncoderStream());
  Object.assign(window, { __reactRouterContext: { ...ROUTER_CONTEXT, stream } });
}
