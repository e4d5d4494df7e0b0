/** What React Router's client expects before it starts; on this site it is the same for every page. */
const context = {
  basename: "/",
  future: { unstable_enableNodeReadableStream: false, unstable_optimizeDeps: false },
  routeDiscovery: { mode: "initial" },
  ssr: true,
  isSpaMode: false,
};

/** The client's side of React Router's first inline script; its second one enqueues the data of the page. */
export function startRouterContext(): void {
  let streamController: ReadableStreamDefaultController<string> | undefined;
  const stream = new ReadableStream<string>({
    start(controller) {
      streamController = controller;
    },
  }).pipeThrough(new TextEncoderStream());
  Object.assign(window, { __reactRouterContext: { ...context, stream, streamController } });
}

/**
 * React Router's first inline script as it writes it. `deferClient` takes it out of a page only when it is exactly this,
 * so that a new version of the router cannot start with a context that it does not expect.
 */
export const routerContextScript =
  `window.__reactRouterContext = ${JSON.stringify(context)};` +
  "window.__reactRouterContext.stream = new ReadableStream({start(controller){" +
  "window.__reactRouterContext.streamController = controller;}}).pipeThrough(new TextEncoderStream());";
