/**
 * Passes a client on to the server whose builder its build has: behind a load balancer clients come to any. What they send ends
 * TLS here and goes on in TLS of this server's own, with another certificate of the same build; the other server judges it.
 */
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { chargeBytes } from "#platform/fair/work-gate.ts";
import type { Authority } from "../certificates.ts";
import { DOOR_NAME } from "../door.ts";
import { type Connection, type ConnectionOptions, ENDED, serveConnection } from "./connection.ts";
import type { FarBuild } from "./live-build.ts";
import {
  HANDSHAKE_MS,
  MAX_EARLY_BYTES,
  NO_RECORD_MS,
  RELAY_CERTIFICATE_MS,
  RELAY_SILENCE_MS,
} from "./limits.ts";
import { passBytes } from "./pass-bytes.ts";

export interface PassOnOptions extends ConnectionOptions {
  authority: Authority;
  findElsewhere: (buildId: string) => Promise<FarBuild | null>;
  /** Whether its organization may have one more; otherwise the client is gone. */
  admit: (organizationId: string) => boolean;
}

/** Where no other server has the build, its client is served here, and told that it has ended. */
export function passOn(client: TLSSocket, options: PassOnOptions): Connection {
  const { caller, findElsewhere, admit, onClose, log } = options;
  let served: Connection | null = null;
  client.on("error", () => undefined);
  const go = async () => {
    const build = await findElsewhere(caller.buildId);
    const isAdmitted = !client.destroyed && (!build || admit(build.organizationId));
    if (isAdmitted && !build?.address) {
      served = serveConnection(client, options);
      if (!build) setTimeout(served.cut, NO_RECORD_MS, ENDED).unref();
      return;
    }
    if (isAdmitted && build?.address) await relay(client, { ...build, address: build.address }, options);
    onClose();
  };
  go().catch((error: unknown) => {
    log.warn("could not forward a client to the server of its build", { build: caller.buildId, error });
    client.destroy();
    onClose();
  });
  return { caller, cut: (reason) => (served ? served.cut(reason) : void client.destroy()) };
}

/**
 * Reads what a client says before there is somebody to say it to: only of a socket that is read is the end seen.
 * @returns what ends this, with all that was said
 */
function readEarly(client: TLSSocket): () => Buffer {
  const said: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer) => {
    said.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_EARLY_BYTES) client.pause();
  };
  client.on("data", take);
  return () => {
    client.off("data", take);
    return Buffer.concat(said);
  };
}

/** Resolves when either side has closed; both are closed then. */
async function relay(
  client: TLSSocket,
  { address, organizationId }: { address: string; organizationId: string },
  { caller: { buildId, platform }, authority, log }: PassOnOptions,
): Promise<void> {
  const until = new Date(Date.now() + RELAY_CERTIFICATE_MS);
  const { certificate, key } = await authority.signClient(buildId, platform, until);
  const { hostname, port } = new URL(`tcp://${address}`);
  const far = connect({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port),
    // By which the port of everything else knows whom it is for.
    servername: DOOR_NAME,
    ca: authority.certificate,
    cert: certificate,
    key,
    minVersion: "TLSv1.3",
    ALPNProtocols: ["h2"],
    // It is named by the installation's address. That the authority signed it for a server is what counts.
    checkServerIdentity: () => undefined,
  });
  far.setNoDelay(true);
  client.setNoDelay(true);
  const note = (error: unknown) => {
    if (log.writes("debug"))
      log.debug("could not forward a client to its builder", { build: buildId, address, error });
  };
  const isGone = new AbortController();
  client.once("close", () => isGone.abort());
  const takeEarly = readEarly(client);
  try {
    const signal = AbortSignal.any([isGone.signal, AbortSignal.timeout(HANDSHAKE_MS)]);
    await once(far, "secureConnect", { signal });
    far.on("error", note);
    // The other server asks every client whether it is there; its machine may be gone without a word.
    far.setTimeout(RELAY_SILENCE_MS, () => far.destroy());
    // Not `pipeline`, which has more listeners for both ways than Node.js lets pass without a warning.
    const early = takeEarly();
    chargeBytes(organizationId, early.length);
    far.write(early);
    passBytes(client, far, organizationId);
    passBytes(far, client, organizationId);
    if (!client.destroyed) await Promise.race([client, far].map((side) => once(side, "close")));
  } catch (error) {
    note(error);
  } finally {
    far.destroy();
    client.destroy();
  }
}
