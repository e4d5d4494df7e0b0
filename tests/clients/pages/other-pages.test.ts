/** All other pages: their commands are run (see `prove-pages.ts`). */
import { provePages } from "./prove-pages.ts";

/** They take as long as all others together, in files of their own. */
const APART = new Set(["container-builds", "cache"]);

provePages((part) => !APART.has(part));
