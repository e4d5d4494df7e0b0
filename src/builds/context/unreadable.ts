/** A session does not have the known form: it continues, and nothing more of it is read. */
export class Unreadable extends Error {}
