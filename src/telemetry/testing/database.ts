/** For tests that read the file: opens it as the server does. */
export { openDatabase } from "../store/open-database.ts";
