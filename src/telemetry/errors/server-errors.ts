/** The server's own errors, in Sentry's protocol like the browser's, passed on in the same process. */
import { createStackParser, createTransport, Scope } from "@sentry/core";
import { nodeStackLineParser, ServerRuntimeClient } from "@sentry/core/server";

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

export function createServerErrors({ release, environment, clock, take }: ServerErrorOptions): ServerErrors {
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
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        await take(typeof body === "string" ? body : new TextDecoder().decode(body));
        return { statusCode: 200 };
      }),
  });
  client.init();
  let minute = 0;
  let reports = 0;

  return {
    report(error, path) {
      const current = Math.floor(clock() / 60_000);
      if (current !== minute) [minute, reports] = [current, 0];
      reports += 1;
      if (reports > REPORTS_PER_MINUTE) return;
      const scope = new Scope();
      if (path) scope.setTransactionName(path);
      client.captureException(error, {}, scope);
    },
    close: async () => void (await client.close(500)),
  };
}
