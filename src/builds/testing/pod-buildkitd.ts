/** For tests: a buildkitd that answers the requests of builders, with the files of a pod. */
import { createSecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { Control } from "../gen/buildkit/control_pb.ts";

export type PodFiles = Readonly<Record<string, string>>;

export interface RunningProgram {
  port: number;
  stop: () => Promise<void>;
}

/** @param address of this machine: all of 127.0.0.0/8 are */
export async function runStandIn(files: PodFiles, address: string): Promise<RunningProgram> {
  let records = 3;
  const handle = connectNodeAdapter({
    routes: (router) =>
      router.service(Control, {
        info: () => ({}),
        diskUsage: () => ({
          record: Array.from({ length: records }, (_, at) => ({ ID: String(at), size: 1_000n })),
        }),
        async *prune() {
          for (; records > 0; records -= 1) yield { size: 1_000n };
        },
      }),
  });
  const [cert, key, ca] = ["cert", "key", "ca"].map((each) => files[`server-${each}.pem`]);
  const server = createSecureServer(
    {
      ...(cert && key && ca && { cert, key, ca }),
      requestCert: true,
      rejectUnauthorized: true,
    },
    handle,
  );
  // Includes sockets during their handshake.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => void sockets.add(socket));
  server.on("sessionError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
