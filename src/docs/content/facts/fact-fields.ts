import * as z from "zod";

/** A text that is not blank. */
export const text = z.string().trim().min(1);
/** Id of the part in `parts.yaml` that must run for this to work. */
export const part = z.string().regex(/^[a-z-]+$/, "write the id of a part in parts.yaml");
