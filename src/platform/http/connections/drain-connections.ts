/** How connections end when the server stops: after the answers that they wait for. */
import { cutConnection, type GuardState } from "./guard-state.ts";

export function drainConnections(state: GuardState): void {
  state.isDraining = true;
  for (const connection of state.places.all.values()) {
    const { socket, exchanges, session, arrived } = connection;
    if (connection.isUpgraded) continue;
    if (session) {
      connection.phaseSince = state.clock();
      session.close();
      continue;
    }
    const hasBegun = exchanges.size > 0 || (connection.phase === "receiving" && socket.bytesRead > arrived);
    if (!hasBegun) cutConnection(state, connection);
    for (const { response } of exchanges)
      if (!response.headersSent) response.setHeader("Connection", "close");
  }
}
