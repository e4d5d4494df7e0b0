/** A project of a running server, and requests to its image repository. */
import { createHash } from "node:crypto";
import { type Answer, json, send, type Sent } from "./requests.ts";
import type { RunningServer } from "./server-process.ts";
import { asOwner } from "./sign-in.ts";

export const OCI_IMAGE = "application/vnd.oci.image.manifest.v1+json";
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";

export const digestOf = (content: string | Buffer): string =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;

export interface AttackedRepository {
  /** `first/web` */
  name: string;
  /** `/v2/first/web` */
  base: string;
}

interface Called {
  /** The name of the organization that the owner acts in. */
  organization?: string;
  secret?: string;
}

/** As the owner, in the organization. @throws Error with the answer when it is refused */
async function call(
  server: RunningServer,
  method: string,
  body: object,
  organization?: string,
): Promise<Called> {
  const headers = { ...asOwner, ...(organization && { "millrace-org": organization }) };
  const answer = await send(server.port, json(`/api/millrace.v1.${method}`, body, { headers }));
  if (answer.status !== 200) throw new Error(`${method}: ${answer.status} ${answer.body.toString()}`);
  return JSON.parse(answer.body.toString()) as Called;
}

/** @param of the organization. Default: the first */
export async function makeRepository(
  server: RunningServer,
  project: string,
  of?: string,
): Promise<AttackedRepository> {
  await call(server, "ProjectService/Create", { name: project }, of);
  const { organization } = await call(server, "AccountService/WhoAmI", {}, of);
  const name = `${organization}/${project}`;
  return { name, base: `/v2/${name}` };
}

/** Another organization with a project `own`, and a token of it without rights in the first. */
export async function makeStranger(
  server: RunningServer,
): Promise<{ own: AttackedRepository; headers: { authorization: string } }> {
  const name = "evil";
  await call(server, "OrganizationService/Create", { name });
  const own = await makeRepository(server, "own", name);
  const { secret } = await call(server, "TokenService/Create", { name: "attacker", type: "org" }, name);
  return { own, headers: { authorization: `Bearer ${secret}` } };
}

/** With the owner's token by default. */
export const toRegistry = (sent: Sent): Sent => ({ ...sent, headers: { ...asOwner, ...sent.headers } });

export function ask(server: RunningServer, sent: Sent): Promise<Answer> {
  return send(server.port, toRegistry(sent));
}

export const putManifest = (
  { base }: AttackedRepository,
  reference: string,
  body: string | Buffer,
  type = OCI_INDEX,
): Sent => ({
  method: "PUT",
  path: `${base}/manifests/${reference}`,
  headers: { "content-type": type },
  body,
});

/** An index of nothing: as small as an image can be. */
export const emptyIndex = (fields: object = {}): string =>
  JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests: [], ...fields });

/** The code of a refusal in the form of the specification; null for anything else. */
export function codeOf({ body }: Pick<Answer, "body">): string | null {
  try {
    const { errors } = JSON.parse(body.toString()) as { errors?: { code?: unknown; message?: unknown }[] };
    const [first] = errors ?? [];
    return typeof first?.code === "string" && typeof first.message === "string" ? first.code : null;
  } catch {
    return null;
  }
}
