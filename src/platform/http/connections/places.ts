/** The places of all connections: how many there are, which clients have them, and which would lose one first. */
import type { Socket } from "node:net";
import { type Client, type Connection, hasWholeRequest, type Phase } from "./connection.ts";

export interface Places {
  readonly all: ReadonlyMap<Socket, Connection>;
  /** Requests that are not answered yet, for all clients. */
  readonly requests: number;
  /** Each in the order in which its connections entered the phase. */
  readonly phases: { readonly [phase in Phase]: ReadonlySet<Connection> };
  add: (connection: Connection) => void;
  /** @returns false when it was already removed */
  remove: (connection: Connection) => boolean;
  move: (connection: Connection, phase: Phase) => void;
  /** @param change 1 for a new request, negative for requests that end */
  countRequests: (connection: Connection, change: number) => void;
  /** The connections of the network that has the most, if it has more than this many; proxies do not count. */
  findLargest: (most: number) => ReadonlySet<Connection> | null;
  /**
   * The connection that loses its place first, among all or among one client's.
   * @param isStalled whether a reader takes nothing of its answer
   */
  findVictim: (
    among: ReadonlySet<Connection> | null,
    newcomer: Connection,
    isStalled: (connection: Connection) => boolean,
  ) => Connection | null;
  /**
   * The connection with the most requests held up by their client; among equals, the oldest place.
   * @param held how many of its requests are held up
   */
  findHolder: (newcomer: Connection, held: (connection: Connection) => number) => Connection | null;
}

export function createPlaces(clock: () => number): Places {
  const all = new Map<Socket, Connection>();
  const clients = createClients();
  const phases: { [phase in Phase]: Set<Connection> } = {
    receiving: new Set(),
    answering: new Set(),
    idle: new Set(),
  };
  let requests = 0;

  function move(connection: Connection, phase: Phase): void {
    phases[connection.phase].delete(connection);
    connection.phase = phase;
    connection.phaseSince = clock();
    phases[phase].add(connection);
  }

  return {
    all,
    phases,
    move,
    get requests() {
      return requests;
    },
    add(connection) {
      const { socket, keys, phase } = connection;
      all.set(socket, connection);
      phases[phase].add(connection);
      connection.clients = keys.map(clients.get);
      for (const client of connection.clients) client.connections.add(connection);
    },
    remove(connection) {
      const { socket, phase } = connection;
      if (!all.delete(socket)) return false;
      phases[phase].delete(connection);
      for (const client of connection.clients)
        if (client.connections.delete(connection)) clients.removeIfUnused(client);
      return true;
    },
    countRequests(connection, change) {
      requests += change;
      for (const client of connection.clients) {
        client.requests += change;
        clients.removeIfUnused(client);
      }
    },
    findLargest: clients.findLargest,
    findVictim(among, newcomer, isStalled) {
      const isEligible = (connection: Connection) =>
        connection !== newcomer && (among?.has(connection) ?? true);
      for (const connection of phases.idle) if (isEligible(connection)) return connection;
      for (const connection of phases.receiving) {
        // The end of an unread body causes no event, so it is checked here.
        if (hasWholeRequest(connection)) move(connection, "answering");
        else if (isEligible(connection)) return connection;
      }
      return findSlowest(phases.answering, (connection) => isEligible(connection) && isStalled(connection));
    },
    findHolder: (newcomer, held) => findHolder(all.values(), newcomer, held),
  };
}

/** Clients and the networks around them. */
function createClients() {
  const clients = new Map<string, Client>();
  return {
    get(key: string): Client {
      const client = clients.get(key) ?? { key, connections: new Set(), requests: 0 };
      clients.set(key, client);
      return client;
    },
    removeIfUnused(client: Client): void {
      if (client.connections.size === 0 && client.requests === 0) clients.delete(client.key);
    },
    findLargest(most: number): ReadonlySet<Connection> | null {
      let largest: ReadonlySet<Connection> | null = null;
      for (const { connections } of clients.values()) {
        const [first] = connections;
        if (first?.isExempt) continue;
        if (connections.size > Math.max(most, largest?.size ?? 0)) largest = connections;
      }
      return largest;
    },
  };
}

/** The connection that has taken nothing for longest. */
function findSlowest(
  connections: Iterable<Connection>,
  isCandidate: (connection: Connection) => boolean,
): Connection | null {
  let slowest: Connection | null = null;
  for (const connection of connections)
    if (isCandidate(connection) && !(slowest && slowest.tookAt <= connection.tookAt)) slowest = connection;
  return slowest;
}

function findHolder(
  connections: Iterable<Connection>,
  newcomer: Connection,
  held: (connection: Connection) => number,
): Connection | null {
  let holder: Connection | null = null;
  let most = 0;
  for (const connection of connections) {
    // Connections that cannot exceed it are skipped.
    const count = connection.exchanges.size > most && connection !== newcomer ? held(connection) : 0;
    if (count > most) [holder, most] = [connection, count];
  }
  return holder;
}
