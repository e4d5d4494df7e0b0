/** For tests that look into the file: opened as a start does. */
export { openDatabase } from "../store/open-database.ts";
