/** gRPC's standard health service: https://github.com/grpc/grpc/blob/master/doc/health-checking.md */
import { EventEmitter, once } from "node:events";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as Status } from "./gen/grpc/health/v1/health_pb.ts";
import { callerAddress } from "./handler.ts";

export interface HealthService {
  /** For `createGrpcHandler`. */
  routes: (router: ConnectRouter) => void;
  /** @param service the full name of a gRPC service; "" is the whole server, which exists from the start */
  set: (service: string, isServing: boolean) => void;
  /** The server is stopping: every service becomes NOT_SERVING, watchers are notified, and their calls end. */
  end: () => void;
  /** Current calls of `Watch`. */
  readonly watchers: number;
}

export interface HealthOptions {
  /** Most concurrent calls of `Watch`. A load balancer has one for each of its processes. */
  maxWatchers?: number;
  /** The same for one address. */
  maxWatchersPerAddress?: number;
}

export function createHealthService({
  maxWatchers = 256,
  maxWatchersPerAddress = 32,
}: HealthOptions = {}): HealthService {
  const services = new Map([["", true]]);
  const watchers = createWatcherCount(maxWatchers, maxWatchersPerAddress);
  const changes = new EventEmitter().setMaxListeners(maxWatchers);
  let hasEnded = false;

  const statusOf = (service: string): Status | null => {
    const isServing = services.get(service);
    if (isServing === undefined) return null;
    return isServing && !hasEnded ? Status.SERVING : Status.NOT_SERVING;
  };

  /** Resolves with the next change, or when the caller has left. */
  const nextChange = (signal: AbortSignal) => once(changes, "change", { signal }).catch(() => {});

  async function* watch(service: string, signal: AbortSignal) {
    let last: Status | undefined;
    while (!signal.aborted) {
      const status = statusOf(service) ?? Status.SERVICE_UNKNOWN;
      // Subscribed before the status is sent: it may change while the client receives it.
      const change = nextChange(signal);
      if (status !== last) yield { status };
      last = status;
      if (hasEnded) throw new ConnectError("The server is stopping.", Code.Unavailable);
      await change;
    }
  }

  return {
    routes: (router) =>
      router.service(Health, {
        check({ service }) {
          const status = statusOf(service);
          if (status === null)
            throw new ConnectError(`This server has no service ${service}.`, Code.NotFound);
          return { status };
        },
        async *watch({ service }, { signal, values }) {
          const address = values.get(callerAddress);
          watchers.enter(address);
          try {
            yield* watch(service, signal);
          } finally {
            watchers.leave(address);
          }
        },
      }),
    set(service, isServing) {
      services.set(service, isServing);
      changes.emit("change");
    },
    end() {
      hasEnded = true;
      changes.emit("change");
    },
    get watchers() {
      return watchers.total();
    },
  };
}

/** Counts calls of `Watch`, in total and per address. */
function createWatcherCount(most: number, mostPerAddress: number) {
  const byAddress = new Map<string, number>();
  let total = 0;
  return {
    total: () => total,
    /** @throws ConnectError when there are too many */
    enter(address: string): void {
      const own = byAddress.get(address) ?? 0;
      if (total >= most || own >= mostPerAddress)
        throw new ConnectError(
          `Too many calls of Watch: at most ${mostPerAddress} from one address and ${most} in all. Call Check instead.`,
          Code.ResourceExhausted,
        );
      byAddress.set(address, own + 1);
      total += 1;
    },
    leave(address: string): void {
      const own = (byAddress.get(address) ?? 0) - 1;
      if (own > 0) byAddress.set(address, own);
      else byAddress.delete(address);
      total -= 1;
    },
  };
}
