/** Answers of creates, stored for callers who ask again with the same `Idempotency-Key`. */
import { columnTypes } from "#platform/database/columns.ts";
import type { Migration } from "#platform/database/migrate.ts";

/** A `type`, because Kysely asks for one with an index. */
export type AnswerTables = {
  api_answers: {
    /** Hash of the caller's token, the method and the `Idempotency-Key`. */
    key_hash: string;
    /** Encrypted; see `seal.ts`. */
    sealed: string;
    created_at: number;
  };
};

export const apiMigrations: readonly Migration[] = [
  {
    name: "api-1",
    release: 1,
    async up(db, kind) {
      const { text } = columnTypes(kind);
      await db.schema
        .createTable("api_answers")
        .addColumn("key_hash", text, (column) => column.primaryKey())
        .addColumn("sealed", text, (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("api_answers_created_at").on("api_answers").column("created_at").execute();
    },
  },
];
