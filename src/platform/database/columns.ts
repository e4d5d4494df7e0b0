import { type ColumnDataType, type RawBuilder, sql } from "kysely";

export type DatabaseKind = "sqlite" | "postgres";

/** The type of a text column in each database, for migrations. */
export function columnTypes(kind: DatabaseKind): { text: ColumnDataType | RawBuilder<unknown> } {
  // PostgreSQL would otherwise sort by the machine's locale, which list pages must not depend on.
  return { text: kind === "postgres" ? sql`text collate "C"` : "text" };
}
