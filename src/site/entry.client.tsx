import { startTransition, StrictMode, type ErrorInfo } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { startRouterContext } from "./boot/router-context.ts";
import { startTelemetry } from "./telemetry.ts";

/** Reports an error that React or the router has caught as uncaught, so that error reporting receives it. */
function raise(error: unknown, info: { componentStack?: string; errorInfo?: ErrorInfo }) {
  const componentStack = info.componentStack ?? info.errorInfo?.componentStack;
  if (error instanceof Error) reportError(Object.assign(error, { componentStack }));
}

function hydrate() {
  startTelemetry();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter onError={raise} />
      </StrictMode>,
      { onUncaughtError: raise, onRecoverableError: raise },
    );
  });
}

// A route's module can bring this one with it: the boot script says when all of them are there.
if (import.meta.env.DEV) hydrate();
else
  window.hydrate = (data, routes, modules) => {
    startRouterContext(data);
    const routeModules = Object.fromEntries(routes.map((id, i) => [id, modules[i]]));
    Object.assign(window, { __reactRouterRouteModules: routeModules });
    hydrate();
  };
