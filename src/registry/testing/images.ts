/** For tests: a person with a project and a token, and images without the protocol's uploads. */
import { createProject, createToken, identify } from "#accounts/index.ts";
import { makePerson, type TestPerson } from "#accounts/testing/accounts.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { Grant } from "../contract/registry.ts";
import { digestOf } from "./client.ts";
import type { TestRegistry } from "./registry.ts";

export const OCI_IMAGE = "application/vnd.oci.image.manifest.v1+json";
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";
export const OCI_CONFIG = "application/vnd.oci.image.config.v1+json";
export const OCI_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

export interface TestPusher {
  person: TestPerson;
  organizationId: string;
  projectId: string;
  /** `acme/web` */
  name: string;
  /** An organization's token. */
  secret: string;
  grant: Grant;
}

export async function makePusher(
  { accounts, registry }: Pick<TestRegistry, "accounts" | "registry">,
  organization = "acme",
  project = "web",
): Promise<TestPusher> {
  const person = await makePerson({ accounts }, `ada-of-${organization}`, { organization });
  const { id: projectId } = await createProject(accounts, person.caller, { name: project });
  const { secret } = await createToken(accounts, person.caller, { name: "ci", type: "org" });
  const actor = await identify(accounts, { bearer: secret });
  const name = `${organization}/${project}`;
  const grant = await registry.grant({ actor, scopes: null }, name, "push");
  return { person, organizationId: grant.repository.organizationId, projectId, name, secret, grant };
}

/** A blob of the repository, as an upload leaves it. @returns its descriptor without a type */
export async function addBlob(
  { blobs, database, accounts }: Pick<TestRegistry, "blobs" | "database" | "accounts">,
  repositoryId: string,
  content: string | Uint8Array,
): Promise<{ digest: string; size: number }> {
  const upload = blobs.receive({ maxBytes: 1e9 });
  await upload.write(Buffer.from(content));
  const received = await upload.finish();
  const { digest, size } = received;
  await inTransaction(database, async (transaction) => {
    const added = await transaction
      .insertInto("registry_blobs")
      .values({ repository_id: repositoryId, digest, size, used_at: accounts.clock() })
      .onConflict((conflict) => conflict.columns(["repository_id", "digest"]).doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 1n) await blobs.keep(transaction, received);
  });
  await blobs.settle(received);
  return { digest, size };
}

export interface TestImage {
  bytes: Buffer;
  digest: string;
  /** As an index names it. */
  descriptor: { mediaType: string; digest: string; size: number };
  config: { digest: string; size: number };
  layers: { digest: string; size: number }[];
}

/** An image whose blobs are stored, and which is not pushed yet. */
export async function makeImage(
  test: Pick<TestRegistry, "blobs" | "database" | "accounts">,
  repositoryId: string,
  {
    layers: contents = ["a layer"],
    platform = "linux/amd64",
    ...more
  }: {
    layers?: readonly string[];
    platform?: string;
    [field: string]: unknown;
  } = {},
): Promise<TestImage> {
  const [os, architecture, variant] = platform.split("/");
  const json = JSON.stringify({ os, architecture, ...(variant && { variant }), rootfs: {} });
  const config = await addBlob(test, repositoryId, json);
  const layers: { digest: string; size: number }[] = [];
  for (const content of contents) layers.push(await addBlob(test, repositoryId, content));
  return {
    ...asManifest(OCI_IMAGE, {
      config: { mediaType: OCI_CONFIG, ...config },
      layers: layers.map((layer) => ({ mediaType: OCI_LAYER, ...layer })),
      ...more,
    }),
    config,
    layers,
  };
}

export function asManifest(mediaType: string, fields: object) {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...fields }));
  const digest = digestOf(bytes);
  return { bytes, digest, descriptor: { mediaType, digest, size: bytes.length } };
}
