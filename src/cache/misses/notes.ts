import type { MissNote } from "../contract/cache.ts";
import { MAX_NOTE_LENGTH } from "./limits.ts";

/** Shortened, because clients write it. */
export const shortenNote = ({ target, mnemonic, invocation }: MissNote): MissNote => ({
  target: clean(target),
  mnemonic: clean(mnemonic),
  invocation: clean(invocation),
});

/** PostgreSQL accepts no text with a zero byte, nor half of a surrogate pair. */
const clean = (text: string) => text.slice(0, MAX_NOTE_LENGTH).replaceAll("\0", "").toWellFormed();
