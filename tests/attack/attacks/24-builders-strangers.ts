import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { makeForeignAuthority } from "#builds/testing/port.ts";
import { PREFACE, settings } from "#platform/http/raw-frames.ts";
import type { Stage } from "../attack.ts";
import { type AttackedBuilders, openTls } from "../builders-client.ts";
import { inParallel } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

export interface Scene {
  stage: Stage;
  server: RunningServer;
  builders: AttackedBuilders;
}

/** No certificate, another authority's, half a handshake. */
export async function strangers({ stage, server, builders: { port } }: Scene): Promise<void> {
  const count = stage.isShort ? 300 : 1000;
  const name = `${count} strangers with half a handshake`;
  const sockets: Socket[] = [];
  const { result, figure } = await stage.measure(server, name, async () => {
    for (let at = 0; at < count; at += 1) {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      // The begin of a TLS record whose rest is missing, or no TLS at all.
      socket.write(at % 2 === 0 ? Buffer.from([22, 3, 1, 2]) : `${PREFACE}GET / HTTP/1.1\r\n\r\n`);
      sockets.push(socket);
    }
    const forged = await makeForeignAuthority();
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const pairs = [null, forged, { certificate: forged.certificate, key }];
    const tried = await inParallel(30, 10, async (at) => {
      try {
        const tls = await openTls(port, pairs[at % pairs.length] ?? null);
        return tls !== null && (await isAnswered(tls));
      } catch {
        // The key does not match the certificate: this side does not even begin.
        return false;
      }
    });
    return tried.filter(Boolean).length;
  });
  for (const socket of sockets) socket.destroy();
  stage.check(result === 0, `${name}: ${result} connections without a certificate were answered`);
  stage.report(name, `and 30 with none or a false one: ${result} were answered`, figure);
}

/** Whether anything but the end arrives: with TLS 1.3 a client learns of its refusal after it has connected. */
async function isAnswered(tls: TLSSocket): Promise<boolean> {
  tls.write(Buffer.concat([Buffer.from(PREFACE), settings()]));
  const answered = once(tls, "data").then(() => true);
  const ended = once(tls, "close").then(() => false);
  const isOpen = await Promise.race([answered, ended]);
  tls.destroy();
  return isOpen;
}
