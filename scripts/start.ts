import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Environment, parseEnvironment } from "../src/environment.ts";
import { createGrpcHandler } from "../src/platform/grpc/handler.ts";
import { createHealthService } from "../src/platform/grpc/health.ts";
import { createApp } from "../src/server.ts";
import { type Certificate, openCertificate } from "../src/server/certificate.ts";
import { createEdge } from "../src/server/edge.ts";
import { createGuardedServer } from "../src/server/guarded-server.ts";
import { listen, probePort } from "../src/server/listen.ts";
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
  const certificate = openTls(env);
  await probePort(env.HOST, env.PORT).catch(fail);
  // Before the build: who finds the folder taken should not wait for it.
  const dataFolder = takeDataFolder(env);
  const folders = await build({ origin: env.SITE_ORIGIN, log: console.log });
  // What the server makes from here on is for its user alone; the build may be served by another one.
  process.umask(0o077);
  const runtime = await loadRuntime(folders, env);
  // A promise that nobody waits for must not end the pages of everybody else.
  process.on("unhandledRejection", (reason) => {
    console.error("A promise was rejected and nobody handled it:", reason);
    runtime.telemetry.reportError?.(reason, null);
  });
  const { TRUSTED_PROXIES: trustedProxies, RATE_LIMIT_FACTOR: rateLimitFactor } = env;
  const { server, connections } = createGuardedServer({
    trustedProxies,
    ...(certificate && { certificate }),
  });
  const health = createHealthService();
  const app = createApp(runtime, createEdge({ trustedProxies, rateLimitFactor, connections }));
  stopOnSignals({
    server,
    connections,
    onStop: health.end,
    onError(error) {
      console.error("Nobody caught an error, so the server ends:", error);
      runtime.telemetry.reportError?.(error, null);
    },
    close: () => runtime.close().finally(() => dataFolder.close()),
  });
  const grpc = createGrpcHandler({ routes: health.routes });
  await listen(app, env.HOST, env.PORT, { server, connections, grpc }).catch(fail);
  console.log(`Millrace is at ${env.SITE_ORIGIN}`);
  const consoleNote = runtime.describeConsole?.();
  if (consoleNote) console.log(consoleNote);
  const samples = sampleWarnings(await readFile(join(root, homeFile), "utf8"));
  for (const warning of [...samples, ...operatorHints(siteConfig)]) console.warn(`  ${warning}`);
});

function openTls({ TLS_CERT: certFile, TLS_KEY: keyFile }: Environment): Certificate | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined;
  try {
    return openCertificate({ certFile, keyFile });
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
