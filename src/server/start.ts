import { siteConfig } from "#config";
import { operatorHints } from "#site/marketing/.server/operator-hints.ts";
import { readMarketingFolder } from "#site/marketing/.server/marketing-folder.ts";
import { sampleWarnings } from "#site/marketing/.server/sample-warnings.ts";
import { createApp, listen, probePort } from "./app.ts";
import { type BuildFolders, root } from "./build-folders.ts";
import { createEdge } from "./edge.ts";
import { type Environment, parseEnvironment } from "./environment.ts";
import { createGuardedServer } from "./guarded-server.ts";
import { describeListenError, readEnvironment, takeDataFolder } from "./listening.ts";
import { loadRuntime } from "./load-runtime.ts";
import { endWithLauncher, stopOnSignals } from "./stop.ts";
import { UserError } from "./user-error.ts";

/**
 * Serves a complete build until the process is told to stop.
 * @param prepare makes the build, or finds it; called when port and `DATA_DIR` are known to be free
 * @throws UserError that says what to set or to free
 */
export async function startServer(prepare: (env: Environment) => Promise<BuildFolders>): Promise<void> {
  endWithLauncher();
  const env = readEnvironment(parseEnvironment);
  const fail = (error: unknown) => {
    throw new UserError(describeListenError(error, env.HOST, env.PORT));
  };
  await probePort(env.HOST, env.PORT).catch(fail);
  // Before the build: who finds the folder taken should not wait for it.
  const dataFolder = takeDataFolder(env);
  const folders = await prepare(env);
  // What the server makes from here on is for its user alone; the build may be served by another one.
  process.umask(0o077);
  const runtime = await loadRuntime(folders, env);
  // A promise that nobody waits for must not end the pages of everybody else.
  process.on("unhandledRejection", (reason) => {
    console.error("A promise was rejected and nobody handled it:", reason);
    runtime.telemetry.reportError?.(reason, null);
  });
  const { TRUSTED_PROXIES: trustedProxies, RATE_LIMIT_FACTOR: rateLimitFactor } = env;
  const { server, connections } = createGuardedServer({ trustedProxies });
  const app = createApp(runtime, createEdge({ trustedProxies, rateLimitFactor, connections }));
  stopOnSignals({
    server,
    connections,
    onError(error) {
      console.error("Nobody caught an error, so the server ends:", error);
      runtime.telemetry.reportError?.(error, null);
    },
    close: () => runtime.close().finally(() => dataFolder.close()),
  });
  await listen(app, env.HOST, env.PORT, { server, connections }).catch(fail);
  console.log(`Millrace is at ${env.SITE_ORIGIN}`);
  const consoleNote = runtime.describeConsole?.();
  if (consoleNote) console.log(consoleNote);
  const { marketing } = readMarketingFolder(root);
  const samples = marketing ? sampleWarnings(marketing.home) : [];
  for (const warning of [...samples, ...operatorHints(siteConfig)]) console.warn(`  ${warning}`);
}
