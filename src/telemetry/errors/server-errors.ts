/** The server's own errors, in Sentry's protocol like the browser's, passed on in the same process. */

export interface ServerErrorOptions {
  release: string | null;
  environment: string;
  clock: () => number;
  /** Receives each report as an envelope. The receiver counts the reports that it cannot store. */
  take: (envelope: string) => Promise<void>;
}

/** Further errors in the same minute add nothing. */
const REPORTS_PER_MINUTE = 60;

export interface ServerErrors {
  /** @param path of the failed request, without query; null outside of a request. */
  report: (error: unknown, path: string | null) => void;
  close: () => Promise<void>;
}

export function createServerErrors(options: ServerErrorOptions): ServerErrors {
  let opening: Promise<Reporter> | undefined;
  const reporter = () => (opening ??= openReporter(options));
  let minute = 0;
  let reports = 0;

  return {
    report(error, path) {
      const current = Math.floor(options.clock() / 60_000);
      if (current !== minute) [minute, reports] = [current, 0];
      reports += 1;
      if (reports > REPORTS_PER_MINUTE) return;
      // The server continues without the report when its packages cannot be read.
      void reporter().then(
        ({ capture }) => capture(error, path),
        () => (opening = undefined),
      );
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

interface Reporter {
  capture: (error: unknown, path: string | null) => void;
  close: () => Promise<void>;
}

/** At the first error: the client is 215 modules, a tenth of those that a start would load. */
async function openReporter({ release, environment, take }: ServerErrorOptions): Promise<Reporter> {
  const [{ createStackParser, createTransport, Scope }, { nodeStackLineParser, ServerRuntimeClient }] =
    await Promise.all([import("@sentry/core"), import("@sentry/core/server")]);
  const client = new ServerRuntimeClient({
    // Never contacted: the transport passes the report on.
    dsn: "https://public@localhost/1",
    platform: "node",
    environment,
    ...(release && { release }),
    integrations: [],
    sendClientReports: false,
    // Otherwise each report would contain the machine's name.
    serverName: "server",
    stackParser: createStackParser(nodeStackLineParser()),
    transport: (transport) =>
      createTransport(transport, async ({ body }) => {
        await take(typeof body === "string" ? body : new TextDecoder().decode(body));
        return { statusCode: 200 };
      }),
  });
  client.init();
  return {
    capture(error, path) {
      const scope = new Scope();
      if (path) scope.setTransactionName(path);
      client.captureException(error, {}, scope);
    },
    close: async () => void (await client.close(500)),
  };
}
