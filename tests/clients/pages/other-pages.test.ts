/** Pages about accounts, the API, the CLI and the registry: their commands are run (see `prove-pages.ts`). */
import { PROVED_PARTS } from "./page-samples.ts";
import { provePages } from "./prove-pages.ts";

/** They take as long as all others together, in files of their own. */
const APART = new Set<string>(["container-builds", "cache"]);

provePages(PROVED_PARTS.filter((part) => !APART.has(part)));
