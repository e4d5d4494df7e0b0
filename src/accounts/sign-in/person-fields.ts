import * as z from "zod";
import { MAX_MAIL_LENGTH, MAX_NAME_LENGTH } from "../limits.ts";
import { passkeyAnswerSchema } from "./passkeys.ts";

/**
 * What a new person says, as it may arrive; `checkName` and `checkMail` judge it afterwards. All of it is absent where
 * somebody is known already.
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
