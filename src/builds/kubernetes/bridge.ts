/** A socket of this process that forwards each connection to a pod's buildkitd. */
import { mkdir, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { connect } from "node:tls";
import { HANDSHAKE_MS } from "./limits.ts";

export interface PodDial {
  address: string;
  port: number;
  /** The name in its certificate. */
  name: string;
  /** All PEM. */
  ca: string;
  certificate: string;
  key: string;
}

export interface Bridge {
  close: () => Promise<void>;
}

/** @param onLost called when a connection ends on its own: the pod may be gone */
export async function openBridge(path: string, dial: PodDial, onLost: () => void): Promise<Bridge> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({
      host: dial.address,
      port: dial.port,
      servername: dial.name,
      ca: dial.ca,
      cert: dial.certificate,
      key: dial.key,
      minVersion: "TLSv1.3",
      ALPNProtocols: ["h2"],
      timeout: HANDSHAKE_MS,
    });
    // Timeout only for the handshake: a build may be silent for a long time.
    far.once("secureConnect", () => far.setTimeout(0));
    far.once("timeout", () => far.destroy(new Error("the pod does not respond")));
    far.setNoDelay(true);
    join(near, far);
    join(far, near);
    open.add(near);
    let isOver = false;
    near.once("end", () => (isOver = true));
    near.once("close", () => {
      isOver = true;
      open.delete(near);
    });
    far.once("close", () => isOver || onLost());
  });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** When one socket ends, also by an error, the other one ends. */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on("error", () => to.destroy());
  from.once("close", () => to.destroy());
}
