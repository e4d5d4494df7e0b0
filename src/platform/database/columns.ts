import { type ColumnDataType, type RawBuilder, sql } from "kysely";

export type DatabaseKind = "sqlite" | "postgres";

/** What a column is in each database, for migrations. */
export function columnTypes(kind: DatabaseKind): { text: ColumnDataType | RawBuilder<unknown> } {
  // PostgreSQL would otherwise sort by the rules of the machine's language, which pages of lists must not depend on.
  return { text: kind === "postgres" ? sql`text collate "C"` : "text" };
}
