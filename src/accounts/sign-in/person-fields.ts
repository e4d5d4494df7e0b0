import * as z from "zod";
import { MAX_MAIL_LENGTH, MAX_NAME_LENGTH } from "../contract/limits.ts";
import { passkeyAnswerSchema } from "./passkeys/passkeys.ts";

/**
 * The fields of a new person, as they may arrive; `checkName` and `checkMail` validate them afterwards. All are absent for a
 * known person.
 */
export const personFields = {
  name: z
    .string()
    .max(MAX_NAME_LENGTH * 4)
    .optional(),
  mail: z
    .string()
    .max(MAX_MAIL_LENGTH * 2)
    .optional(),
  passkey: passkeyAnswerSchema.optional(),
};
