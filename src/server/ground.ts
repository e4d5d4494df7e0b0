import type { DiskWatch } from "#platform/files/disk-space.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { ByteStore } from "#platform/blobs/byte-store.ts";
import type { Log } from "#platform/log/log.ts";
import type { StaticFiles } from "#platform/http/static-files.ts";
import type { LibraryContent } from "#docs/mcp/library.ts";
import type { ReadMeaning } from "#search/index.ts";
import type { SiteIndex } from "#search-server/index.ts";
import type { SitePages } from "#site/.server/open-site.ts";
import type { SiteSource } from "#site/site-source.ts";
import type { Release } from "#telemetry/index.ts";
import type { siteConfig } from "#config";
import type { RecordDatabase } from "./database/record-tables.ts";

/** The common base of all rooms. */
export interface Ground {
  log: Log;
  /** The checkout's folder. */
  root: string;
  /** This server's version: `0.1.0`. */
  version: string;
  database: RecordDatabase;
  /** 32 bytes. */
  secretKey: Uint8Array;
  /** Milliseconds since 1970; the database's time if servers share one. */
  clock: () => number;
  /** Corrects the clock by the database's, if it follows that. */
  lookAtClock: () => Promise<void>;
  /** Whether the tables match this release. @throws when the database does not respond */
  haveTables: () => Promise<boolean>;
  /** The disk of `DATA_DIR`. */
  disk: DiskWatch;
  /** The storage of blobs. */
  store: ByteStore;
  blobs: Blobs;
  telemetryConfig: typeof siteConfig.telemetry;
  /** From `search.algolia`; null: the site's search uses another provider. */
  algoliaAppId: string | null;
}

/** The source of pages: a complete build, or an author's edits. Nothing else differs between production and development. */
export interface PageOrigin {
  release: Release;
  /** Whether the console's actions write the checkout's files. */
  isWritable: boolean;
  /** The application and the console; undefined until they are built. */
  appFiles: StaticFiles | undefined;
  /** The command-line tool, as packed by the build. */
  cliFiles: StaticFiles;
  cliVersion: string;
  siteIndex: SiteIndex;
  openPages: (search: {
    ask: SiteSource["search"];
    replaceIndex: (bytes: Uint8Array, readMeaning?: ReadMeaning) => void;
  }) => Promise<SitePages<LibraryContent>>;
}

/** The ground and the pages, which are loaded when the first room asks for them: what is wrong with records is said before. */
export type Floor = Ground & { pages: () => Promise<PageOrigin> };
