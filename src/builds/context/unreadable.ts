/** A session is not of the form that is known: it goes on, and nothing more is read of it. */
export class Unreadable extends Error {}
