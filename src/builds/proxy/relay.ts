/**
 * Forwards a client to the server with its build's builder: behind a load balancer, clients may reach any server. The client's TLS
 * ends here, and its bytes continue in this server's own TLS, with another certificate of the same build; the other server judges
 * the calls.
 */
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { chargeBytes } from "#platform/fair/work-gate.ts";
import type { Authority } from "../certificates/certificates.ts";
import { BUILDER_SERVER_NAME } from "../contract/builder-endpoint.ts";
import { type Connection, type ConnectionOptions, ENDED, serveConnection } from "./connection.ts";
import type { FarBuild } from "./proxy-build.ts";
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
  /** Whether its organization may have one more connection; if not, the client is disconnected. */
  admit: (organizationId: string) => boolean;
}

/** If no other server has the build, its client is served here, and gets the error that the build has ended. */
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
 * Reads a client's bytes before the other server is connected: the end of a socket is only seen while it is read.
 * @returns a function that ends this and returns the bytes
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

/** Resolves when either side has closed; then both are closed. */
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
    // By this name, the port that everything else uses recognizes builder connections.
    servername: BUILDER_SERVER_NAME,
    ca: authority.certificate,
    cert: certificate,
    key,
    minVersion: "TLSv1.3",
    ALPNProtocols: ["h2"],
    // The certificate has the installation's name. It only matters that the authority signed it for a server.
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
    // The other server pings every client; its machine may disappear silently.
    far.setTimeout(RELAY_SILENCE_MS, () => far.destroy());
    // Not `pipeline`, which for both directions adds more listeners than Node.js allows without a warning.
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
