/** Pages about container builds: their commands are run (see `prove-pages.ts`). */
import { provePages } from "./prove-pages.ts";

provePages((part) => part === "container-builds");
