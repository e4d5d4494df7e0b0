import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnvironment, secretsOf } from "../src/environment.ts";
import { createApp, listen, probePort } from "../src/server.ts";
import { createLog } from "../src/platform/log/create-log.ts";
import { createEdge } from "../src/server/edge.ts";
import { createGuardedServer } from "../src/server/guarded-server.ts";
import { observe } from "../src/server/observe.ts";
import { endWithLauncher, stopOnSignals } from "../src/server/stop.ts";
import { siteConfig } from "../site.config.ts";
import { operatorHints } from "../src/site/marketing/server/operator-hints.ts";
import { homeFile, sampleWarnings } from "../src/site/marketing/server/sample-warnings.ts";
import { build } from "./build/build.ts";
import { root } from "./build/folders.ts";
import { loadRuntime } from "./build/load-runtime.ts";
import { describeListenError, readEnvironment, takeDataFolder } from "./build/listening.ts";
import { runCommand, UserError } from "./build/user-error.ts";

await runCommand(async () => {
  endWithLauncher();
  const env = readEnvironment(parseEnvironment);
  const fail = (error: unknown) => {
    throw new UserError(describeListenError(error, env.HOST, env.PORT));
  };
  await probePort(env.HOST, env.PORT).catch(fail);
  // Before the build: who finds the folder taken should not wait for it.
  const dataFolder = takeDataFolder(env);
  const folders = await build({ origin: env.SITE_ORIGIN, log: console.log });
  // What the server makes from here on is for its user alone; the build may be served by another one.
  process.umask(0o077);
  const log = createLog({ level: env.LOG_LEVEL, secrets: secretsOf(env) });
  const runtime = await loadRuntime(folders, env);
  // A promise that nobody waits for must not end the pages of everybody else.
  process.on("unhandledRejection", (reason) => {
    log.error("A promise was rejected and nobody handled it:", { error: reason });
    runtime.telemetry.reportError?.(reason, null);
  });
  const { TRUSTED_PROXIES: trustedProxies, RATE_LIMIT_FACTOR: rateLimitFactor } = env;
  const { server, connections } = createGuardedServer({ trustedProxies });
  const edge = createEdge({
    trustedProxies,
    rateLimitFactor,
    connections,
    log: (line) => log.warn(line.trim()),
  });
  const { addressOf } = edge;
  const app = createApp(
    runtime,
    edge,
    observe({ env, log, addressOf, connections, rooms: runtime.rooms ?? [] }),
  );
  stopOnSignals({
    server,
    connections,
    onError(error) {
      log.error("Nobody caught an error, so the server ends:", { error });
      log.flush();
      runtime.telemetry.reportError?.(error, null);
    },
    close: () => runtime.close().finally(() => dataFolder.close()),
  });
  await listen(app, env.HOST, env.PORT, { server, connections }).catch(fail);
  console.log(`Millrace is at ${env.SITE_ORIGIN}`);
  const consoleNote = runtime.describeConsole?.();
  if (consoleNote) console.log(consoleNote);
  const samples = sampleWarnings(await readFile(join(root, homeFile), "utf8"));
  for (const warning of [...samples, ...operatorHints(siteConfig)]) console.warn(`  ${warning}`);
});
