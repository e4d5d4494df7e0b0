/** Sessions without a client and a builder, for bench/builds-files.ts. */
export { readSession, writeSession } from "#builds/testing/session.ts";
