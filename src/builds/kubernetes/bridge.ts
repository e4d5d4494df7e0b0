/** A socket of this process behind which a pod's buildkitd answers: each connection to it is one to the pod. */
import { mkdir, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { connect } from "node:tls";
import { HANDSHAKE_MS } from "./limits.ts";

export interface PodDial {
  address: string;
  port: number;
  /** Of its certificate. */
  name: string;
  /** All PEM. */
  ca: string;
  certificate: string;
  key: string;
}

export interface Bridge {
  close: () => Promise<void>;
}

/** @param onLost a connection ended by itself: the pod may be gone */
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
    // Only for the handshake: a build may be silent for long.
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

/** Its end, also by an error, is the other one's. */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on("error", () => to.destroy());
  from.once("close", () => to.destroy());
}
