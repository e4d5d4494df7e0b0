/** What React Router's client expects before it starts; on this site it is the same for every page. */
export const ROUTER_CONTEXT = {
  basename: "/",
  future: { unstable_enableNodeReadableStream: false, unstable_optimizeDeps: false },
  routeDiscovery: { mode: "initial" },
  ssr: true,
  isSpaMode: false,
};

/** What React Router's own inline scripts would do: its context, with the data of the page as a stream. */
export function startRouterContext(data: string): void {
  const stream = new ReadableStream<string>({
    start(controller) {
      controller.enqueue(data);
      controller.close();
    },
  }).pipeThrough(new TextEncoderStream());
  Object.assign(window, { __reactRouterContext: { ...ROUTER_CONTEXT, stream } });
}
