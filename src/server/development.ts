/** The same server for development: pages are compiled as they are saved, and code is reloaded by Vite. */
import { type Opened, openOrClose } from "#platform/house/open-or-close.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { consoleLog } from "#platform/log/log.ts";
import { createApp } from "./app.ts";
import { type DevelopmentSteps, editPages } from "./pages/edited-pages.ts";
import { type Environment, parseEnvironment } from "./environment.ts";
import { listen, probePort } from "./port/listen.ts";
import { describeListenError, readEnvironment, takeDataFolder } from "./port/listening.ts";
import { openHouse } from "./open-house.ts";
import { ProtocolServer } from "./port/protocols.ts";
import { waysOf } from "./room-ways.ts";
import { refuseOpenSecretKey } from "./secret-key.ts";
import { endWithLauncher, stopOnSignals } from "./port/stop.ts";

/** Hot reload of code (Vite) and of content: a saved page is compiled, indexed and shown immediately. */
export async function startDevelopment(steps: DevelopmentSteps): Promise<void> {
  endWithLauncher();
  const env = readEnvironment(parseEnvironment);
  await openOrClose((opened) => serve(env, steps, opened));
}

async function serve(env: Environment, steps: DevelopmentSteps, opened: Opened): Promise<void> {
  const fail = (error: unknown) => {
    throw new UserError(describeListenError(error, env.HOST, env.PORT));
  };
  await probePort(env.HOST, env.PORT).catch(fail);
  refuseOpenSecretKey(env);
  opened.add(takeDataFolder(env).close);
  const server = new ProtocolServer();
  const { loadPages, vite, report } = editPages(steps, env.SITE_ORIGIN, server);
  const house = await openHouse(env, { log: consoleLog, loadPages }, opened);
  const { middlewares: before } = vite();
  await listen(createApp(house), env.HOST, env.PORT, { before, server, ...waysOf(house.rooms) }).catch(fail);
  // Vite's listener would end the process before the databases are closed.
  process.removeAllListeners("SIGTERM");
  stopOnSignals({
    server,
    onError: (error) => console.error("An uncaught error ends the server:", error),
    close: opened.close,
  });
  opened.add(() => (server.close(), server.closeAllConnections()));
  console.log(`Millrace is at ${env.SITE_ORIGIN} (development)`);
  const note = await house.rooms.find(({ name }) => name === "accounts")?.greet();
  if (note) console.log(note);
  report();
}
