/** Sessions without a client and a builder, for bench/builds-files.ts. */
export { readSession, writeSession } from "#builds/context/test-session.ts";
