/** The tables of the registry. Ids are texts, times milliseconds since 1970, sizes bytes. */
import type { ColumnType, Generated, Transaction } from "kysely";
import type { AccountTables } from "#accounts/index.ts";
import type { BlobTables } from "#platform/blobs/schema.ts";
import { columnTypes } from "#platform/database/columns.ts";
import type { Database } from "#platform/database/database.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import type { Migration } from "#platform/database/migrate.ts";

export interface RegistryTables {
  /** Made by the first push or pull. */
  registry_repositories: {
    /** A project's id, `prj_…`; `rep_…` for pulled-through content. */
    id: string;
    /** "": shared by all, for content that was pulled through without credentials. */
    organization_id: string;
    /** `docker.io/library/alpine`; "" for a project. */
    mirror: string;
    created_at: number;
  };
  /** Which blobs a repository has. Each row is one reference of `platform/blobs`. */
  registry_blobs: {
    repository_id: string;
    digest: string;
    size: number;
    /** When it was last pushed, mounted or asked for; exact to `USE_EXACT_MS`. */
    used_at: number;
    /** As in `registry_manifests`. */
    sweep_at: Generated<number>;
  };
  /** The bytes of each are a blob, and each row is one reference of it. */
  registry_manifests: {
    repository_id: string;
    digest: string;
    media_type: string;
    /** As in the list of referrers; "": none. */
    artifact_type: string;
    /** The digest of the manifest that it refers to, whether that exists or not; "": none. */
    subject: string;
    /** Bytes of the manifest itself. */
    size: number;
    /** Bytes of config and layers, for an index those of its manifests; each blob once. */
    image_bytes: number;
    /** JSON, from the manifest; "": none, or too many. */
    annotations: string;
    /** `linux/amd64 linux/arm64`, in the order of the index; "": none. */
    platforms: string;
    /** From annotations or labels, for the search; null: none. */
    commit_sha: ColumnType<string | null, string | null | undefined, string | null>;
    /** The last pusher: `usr_…` or `tok_…`, and the name at that time. */
    pushed_by: string;
    pusher: string;
    /** When it was last pushed, whether by digest or by tag. */
    pushed_at: number;
    created_at: number;
    pulls: number;
    pulled_at: number | null;
    /** The name of the token or the person that pulled it last. */
    puller: string;
    /** When the sweep next checks whether something keeps it; 0: the next one. Set to 0 by every change that removes what kept it. */
    sweep_at: Generated<number>;
  };
  /** A manifest's references, in order. */
  registry_references: {
    repository_id: string;
    manifest_digest: string;
    position: number;
    digest: string;
    kind: "config" | "layer" | "manifest";
    media_type: string;
    size: number;
    /** For a manifest of an index: `linux/amd64`; "": none. */
    platform: string;
  };
  registry_tags: {
    repository_id: string;
    name: string;
    digest: string;
    moved_at: number;
  };
  /** An organization's own credentials, for pull-through. */
  registry_mirror_credentials: {
    organization_id: string;
    /** `ghcr.io` */
    host: string;
    username: string;
    /** The password, encrypted with the server's key. */
    sealed: string;
    /** A name. */
    set_by: string;
    set_at: number;
  };
  registry_uploads: {
    /** `upl_…` */
    id: string;
    repository_id: string;
    started_at: number;
    received_bytes: number;
  };
  /** Durable pieces of an upload, in their order. */
  registry_upload_parts: {
    upload_id: string;
    number: number;
    /** In the byte store; null: in `content`. */
    place: string | null;
    content: Uint8Array | null;
    size: number;
    /** SHA-256 of the part, so that an upload of one part need not be read again. */
    digest: string;
  };
}

export type RegistryDatabase = Database<RegistryTables & BlobTables & AccountTables & LeaseTables>;
export type RegistryTransaction = Transaction<RegistryTables & BlobTables & AccountTables & LeaseTables>;

/** `?`: may be null; `=0`: 0 by default. */
type Column = "text" | "text?" | "number" | "number?" | "number=0" | "bytes?";
type Columns<Table extends keyof RegistryTables> = Readonly<Record<keyof RegistryTables[Table], Column>>;

const TABLES: { readonly [Table in keyof RegistryTables]: [Columns<Table>, key: readonly string[]] } = {
  registry_repositories: [
    { id: "text", organization_id: "text", mirror: "text", created_at: "number" },
    ["id"],
  ],
  registry_blobs: [
    { repository_id: "text", digest: "text", size: "number", used_at: "number", sweep_at: "number=0" },
    ["repository_id", "digest"],
  ],
  registry_manifests: [
    {
      repository_id: "text",
      digest: "text",
      media_type: "text",
      artifact_type: "text",
      subject: "text",
      size: "number",
      image_bytes: "number",
      annotations: "text",
      platforms: "text",
      commit_sha: "text?",
      pushed_by: "text",
      pusher: "text",
      pushed_at: "number",
      created_at: "number",
      pulls: "number",
      pulled_at: "number?",
      puller: "text",
      sweep_at: "number=0",
    },
    ["repository_id", "digest"],
  ],
  registry_references: [
    {
      repository_id: "text",
      manifest_digest: "text",
      position: "number",
      digest: "text",
      kind: "text",
      media_type: "text",
      size: "number",
      platform: "text",
    },
    ["repository_id", "manifest_digest", "position"],
  ],
  registry_tags: [
    { repository_id: "text", name: "text", digest: "text", moved_at: "number" },
    ["repository_id", "name"],
  ],
  registry_mirror_credentials: [
    {
      organization_id: "text",
      host: "text",
      username: "text",
      sealed: "text",
      set_by: "text",
      set_at: "number",
    },
    ["organization_id", "host"],
  ],
  registry_uploads: [
    { id: "text", repository_id: "text", started_at: "number", received_bytes: "number" },
    ["id"],
  ],
  registry_upload_parts: [
    {
      upload_id: "text",
      number: "number",
      place: "text?",
      content: "bytes?",
      size: "number",
      digest: "text",
    },
    ["upload_id", "number"],
  ],
};

const INDEXES: readonly [name: string, table: keyof RegistryTables, columns: readonly string[]][] = [
  ["registry_repositories_by_mirror", "registry_repositories", ["organization_id", "mirror"]],
  ["registry_blobs_by_digest", "registry_blobs", ["digest"]],
  ["registry_blobs_by_sweep", "registry_blobs", ["sweep_at"]],
  ["registry_manifests_by_subject", "registry_manifests", ["repository_id", "subject", "digest"]],
  ["registry_manifests_by_push", "registry_manifests", ["repository_id", "pushed_at"]],
  ["registry_manifests_by_sweep", "registry_manifests", ["sweep_at"]],
  ["registry_references_by_digest", "registry_references", ["repository_id", "digest"]],
  ["registry_tags_by_digest", "registry_tags", ["repository_id", "digest"]],
  ["registry_uploads_by_repository", "registry_uploads", ["repository_id", "started_at"]],
];

export const registryMigrations: readonly Migration[] = [
  {
    name: "registry-1",
    release: 2,
    async up(db, kind) {
      const types = {
        text: columnTypes(kind).text,
        number: "bigint",
        bytes: kind === "postgres" ? "bytea" : "blob",
      } as const;
      for (const [table, [columns, key]] of Object.entries(TABLES)) {
        let builder = db.schema.createTable(table);
        for (const [name, column] of Object.entries(columns)) {
          const type = types[column.replace(/\?|=0/, "") as keyof typeof types];
          builder = builder.addColumn(name, type, (added) => {
            if (column.endsWith("?")) return added;
            return column.endsWith("=0") ? added.notNull().defaultTo(0) : added.notNull();
          });
        }
        await builder.addPrimaryKeyConstraint(`${table}_key`, [...key] as never[]).execute();
      }
      for (const [name, table, columns] of INDEXES)
        await db.schema
          .createIndex(name)
          .on(table)
          .columns([...columns])
          .execute();
    },
  },
];
