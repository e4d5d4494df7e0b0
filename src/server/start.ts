import { siteConfig } from "#config";
import { operatorHints } from "#site/marketing/.server/operator-hints.ts";
import { readSampleWarnings } from "#site/marketing/.server/sample-warnings.ts";
import { workGate } from "#platform/fair/work-gate.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { createHealthService } from "#platform/grpc/health.ts";
import { createLog } from "#platform/log/create-log.ts";
import type { Log } from "#platform/log/log.ts";
import { createApp } from "./app.ts";
import type { BuildFolders } from "./pages/build-folders.ts";
import { type Certificate, openCertificate } from "./port/certificate.ts";
import { createEdge, type EdgeOptions } from "./edge.ts";
import { type Environment, parseEnvironment, secretsOf } from "./environment.ts";
import { createGuardedServer } from "./port/guarded-server.ts";
import { listen, probePort } from "./port/listen.ts";
import { describeListenError, readEnvironment, takeDataFolder } from "./port/listening.ts";
import { loadBuiltPages } from "./pages/built-pages.ts";
import { openHouse, type OpenHouse } from "./open-house.ts";
import { refuseOpenSecretKey } from "./secret-key.ts";
import { observe } from "./operator/observe.ts";
import { grpcOf, waysOf } from "./room-ways.ts";
import { describeSignIn } from "./operator/sign-in-note.ts";
import { type Opened, openOrClose } from "#platform/house/open-or-close.ts";
import { endWithLauncher, stopOnSignals } from "./port/stop.ts";
import { UserError } from "#platform/environment/user-error.ts";

/**
 * Serves a complete build until the process is stopped.
 * @param prepare makes or finds the build; called when port and `DATA_DIR` are known to be free
 * @throws UserError that says what to set or to free; after any failure, nothing stays open
 */
export async function startServer(prepare: () => Promise<BuildFolders>): Promise<void> {
  endWithLauncher();
  const env = readEnvironment(parseEnvironment);
  await openOrClose((opened) => serve(env, prepare, opened));
}

async function serve(env: Environment, prepare: () => Promise<BuildFolders>, opened: Opened): Promise<void> {
  const fail = (error: unknown) => {
    throw new UserError(describeListenError(error, env.HOST, env.PORT));
  };
  const certificate = openTls(env);
  if (certificate) opened.add(certificate.close);
  refuseOpenSecretKey(env);
  await probePort(env.HOST, env.PORT).catch(fail);
  // Before the build, so that a taken folder is reported without waiting for it.
  opened.add(takeDataFolder(env).close);
  const folders = await prepare();
  // From here on, new files are only for the server's user; the build may belong to another user.
  process.umask(0o077);
  const log = createLog({ level: env.LOG_LEVEL, secrets: secretsOf(env) });
  opened.add(log.flush);
  const loadPages = () => loadBuiltPages(folders, env, log);
  const house = await openHouse(env, { log, loadPages }, opened);
  reportRejections(house, log);
  const { TRUSTED_PROXIES: trustedProxies } = env;
  const { server, connections } = createGuardedServer({
    trustedProxies,
    ...(certificate && { certificate }),
  });
  const health = createHealthService();
  const warn = (line: string) => log.warn(line.trim());
  const edge = createEdge({ ...edgeOptions(env, house), connections, gate: workGate, log: warn });
  const observation = observe({
    env,
    log,
    addressOf: edge.addressOf,
    connections,
    rooms: house.rooms,
  });
  const app = createApp(house, edge, observation);
  stopOnSignals({
    server,
    connections,
    onStop() {
      health.end();
      for (const { end } of house.rooms) end();
    },
    log: (line) => log.info(line),
    onError(error) {
      log.error("An uncaught error ends the server:", { error });
      log.flush();
      house.telemetry.reportError(error, null);
    },
    close: opened.close,
  });
  const { listeners } = observation;
  const grpc = createGrpcHandler({
    trustedProxies,
    listeners,
    admitUpload: connections.admitUpload,
    ...grpcOf(house.rooms, health),
  });
  const around = { listeners, admitUpload: connections.admitUpload };
  const options = { server, connections, grpc, ...waysOf(house.rooms, around) };
  await listen(app, env.HOST, env.PORT, options).catch(fail);
  opened.add(() => (server.close(), server.closeAllConnections()));
  await greetOperator(env, house, { folders, log });
}

function edgeOptions(env: Environment, { callers, searchKeyOf }: OpenHouse): EdgeOptions {
  return {
    trustedProxies: env.TRUSTED_PROXIES,
    rateLimitFactor: env.RATE_LIMIT_FACTOR,
    origin: env.SITE_ORIGIN,
    callers,
    searchKeyOf,
  };
}

/** An unhandled rejection must not end the server for all other readers. */
function reportRejections({ telemetry }: Pick<OpenHouse, "telemetry">, log: Log): void {
  process.on("unhandledRejection", (reason) => {
    log.error("A promise rejection was not handled:", { error: reason });
    telemetry.reportError(reason, null);
  });
}

/** Prints the server's address, its rooms' messages, and settings that the operator has left open. */
async function greetOperator(
  env: Environment,
  { rooms }: OpenHouse,
  { folders, log }: { folders: BuildFolders; log: Log },
): Promise<void> {
  // Printed only by a start that succeeds.
  console.log(`Millrace is at ${env.SITE_ORIGIN}`);
  for (const { name, greet } of rooms)
    try {
      const note = await greet();
      if (note !== null) console.log(note);
    } catch (error) {
      log.warn(`Could not find out what ${name} has to say.`, { error });
    }
  const signInNote = describeSignIn(env);
  if (signInNote) console.warn(signInNote);
  const samples = readSampleWarnings(folders.content);
  for (const warning of [...samples, ...operatorHints(siteConfig)]) console.warn(`  ${warning}`);
}

function openTls({ TLS_CERT: certFile, TLS_KEY: keyFile = certFile }: Environment): Certificate | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined;
  try {
    return openCertificate({ certFile, keyFile });
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
