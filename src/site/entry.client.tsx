import { startTransition, StrictMode, type ErrorInfo } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { startRouterContext } from "./boot/router-context.ts";
import { startTelemetry } from "./telemetry.ts";

/** Raises an error that React or the router caught as an uncaught one, for error reporting. */
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

// A route's module may load this one: the boot script calls when all modules are loaded.
if (import.meta.env.DEV) hydrate();
else
  window.hydrate = (data, routes, modules) => {
    startRouterContext(data);
    const routeModules = Object.fromEntries(routes.map((id, i) => [id, modules[i]]));
    Object.assign(window, { __reactRouterRouteModules: routeModules });
    hydrate();
  };
