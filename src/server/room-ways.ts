/** Routes requests and connections that are not for the application to rooms. */
import type { GrpcOptions } from "#platform/grpc/handler.ts";
import type { createHealthService } from "#platform/grpc/health.ts";
import type { Around, Room } from "#platform/house/room.ts";
import type { ListenOptions } from "./port/listen.ts";

export function grpcOf(
  rooms: readonly Pick<Room, "grpc">[],
  health: Pick<ReturnType<typeof createHealthService>, "routes">,
): Pick<GrpcOptions, "raw" | "routes"> {
  const calls = rooms.flatMap(({ grpc }) => grpc.calls);
  const services = rooms.flatMap(({ grpc }) => grpc.services);
  return {
    raw: (...call) => calls.some((answer) => answer(...call)),
    routes(router) {
      health.routes(router);
      for (const add of services) add(router);
    },
  };
}

export function waysOf(
  rooms: readonly Pick<Room, "handlers" | "upgrades" | "tlsNames">[],
  around: Around = {},
): Pick<ListenOptions, "rooms" | "upgrade" | "tlsName"> {
  const upgrade = onlyOne(rooms.flatMap(({ upgrades }) => upgrades));
  const tlsName = onlyOne(rooms.flatMap(({ tlsNames }) => tlsNames));
  return {
    rooms: rooms.flatMap(({ handlers }) =>
      handlers.map(({ prefix, create }) => ({ prefix, handle: create(around) })),
    ),
    ...(upgrade && { upgrade }),
    ...(tlsName && { tlsName }),
  };
}

function onlyOne<One>(all: readonly One[]): One | undefined {
  if (all.length > 1) throw new Error("The port can tell only one such way from HTTP (`port/protocols.ts`).");
  return all[0];
}
