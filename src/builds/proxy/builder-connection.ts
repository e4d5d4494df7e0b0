import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import type { Log } from "#platform/log/log.ts";
import { MAX_HEADERS, MAX_TRAILER_BYTES, SESSION_WINDOW_BYTES, STREAM_WINDOW_BYTES } from "./limits.ts";
import type { Caller, ProxyBuild } from "./proxy-build.ts";

/** One client's connection to its builder. */
export interface BuilderConnection {
  /** Opened with the first call, and again after a restart of the builder. */
  open: (live: ProxyBuild) => ClientHttp2Session;
  close: () => void;
}

export function createBuilderConnection({ buildId }: Caller, log: Log): BuilderConnection {
  let current: ClientHttp2Session | null = null;
  return {
    open({ socket }) {
      if (current && !current.closed && !current.destroyed) return current;
      current = connectBuilder(socket);
      current.once("error", (error) => log.info("a builder's connection ended", { build: buildId, error }));
      return current;
    },
    close: () => current?.destroy(),
  };
}

function connectBuilder(path: string): ClientHttp2Session {
  const session = connectHttp2("http://builder", {
    createConnection: () => connect(path),
    maxHeaderListPairs: MAX_HEADERS,
    settings: {
      initialWindowSize: STREAM_WINDOW_BYTES,
      maxHeaderListSize: MAX_TRAILER_BYTES,
      enablePush: false,
    },
  });
  session.once("connect", () => session.setLocalWindowSize(SESSION_WINDOW_BYTES));
  return session;
}
