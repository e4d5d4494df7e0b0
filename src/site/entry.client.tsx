import { startTransition, StrictMode, useLayoutEffect, type ErrorInfo } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { startRouterContext } from "./boot/router-context.ts";
import { startTelemetry } from "./telemetry.ts";

/** Raises an error that React or the router caught as an uncaught one, for error reporting. */
function raise(error: unknown, info: { componentStack?: string; errorInfo?: ErrorInfo }) {
  const componentStack = info.componentStack ?? info.errorInfo?.componentStack;
  if (error instanceof Error) reportError(Object.assign(error, { componentStack }));
}

/** React answers each of these by hydrating the whole page at once, if it has not done so by then. */
const KEY_EVENTS = "keydown,keypress,keyup,input,textInput,compositionstart,compositionend".split(",");
let isHydrated = false;

/** The page; keys reach React from the moment in which it is hydrated. */
function Site() {
  useLayoutEffect(() => {
    isHydrated = true;
  }, []);
  return <HydratedRouter onError={raise} />;
}

function hydrate() {
  // Hydration stays in slices. The browser still writes what is typed into the search box, which reads it when it is hydrated.
  for (const type of KEY_EVENTS)
    addEventListener(type, (event) => isHydrated || event.stopPropagation(), true);
  startTelemetry();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Site />
      </StrictMode>,
      { onUncaughtError: raise, onRecoverableError: raise },
    );
  });
}

// A route's module may load this one: the boot script calls when all modules are loaded.
if (import.meta.env.DEV) hydrate();
else
  window.hydrate = (data, routes, modules) => {
    startRouterContext(data);
    const routeModules = Object.fromEntries(routes.map((id, i) => [id, modules[i]]));
    Object.assign(window, { __reactRouterRouteModules: routeModules });
    hydrate();
  };
