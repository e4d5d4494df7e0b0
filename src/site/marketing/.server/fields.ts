/** Fields that the schemas of `content/marketing/` share. Texts are plain, with `code` in backticks. */
import * as z from "zod";

export const text = z.string().trim().min(1);
/** Lines of code. The first one may be indented, as in a diff. */
export const lines = z
  .string()
  .regex(/\S/)
  .transform((value) => value.trimEnd());
/** Lucide's name. */
export const icon = z.string().regex(/^[a-z0-9-]+$/);
/** A mark of Simple Icons by its file's name. */
export const brand = z.string().regex(/^[a-z0-9]+$/);
export const step = z.strictObject({ term: text, text });
