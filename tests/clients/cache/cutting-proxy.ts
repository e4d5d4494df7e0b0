/** Stands between a tool and the server, so that a test can take the server away or cut answers. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  port: number;
  /** Bytes of answers that a connection passes on before it is cut; null: all. */
  cutAfter: number | null;
  /** Connections that were cut. */
  cuts: number;
  /** No one listens any more. */
  goAway: () => Promise<void>;
  comeBack: () => Promise<void>;
}

export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, "127.0.0.1");
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => (open.delete(socket), end()));
    }
    const end = () => (client.destroy(), upstream.destroy());
    client.pipe(upstream);
    let passed = 0;
    upstream.on("data", (chunk) => {
      const { cutAfter } = proxy;
      const rest = cutAfter === null ? chunk.length : Math.max(cutAfter - passed, 0);
      passed += chunk.length;
      if (rest >= chunk.length) return void client.write(chunk);
      proxy.cuts++;
      upstream.destroy();
      // Bytes that were passed on must arrive before the end.
      client.end(chunk.subarray(0, rest));
    });
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    // It listens on a port.
    return (server.address() as AddressInfo).port;
  };
  const proxy: CuttingProxy = {
    port: await listen(0),
    cutAfter: null,
    cuts: 0,
    async goAway() {
      if (!server.listening) return;
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
    comeBack: async () => void (server.listening || (await listen(proxy.port))),
  };
  return proxy;
}
