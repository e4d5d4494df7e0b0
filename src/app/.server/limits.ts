/** What a page may cost that comes with the answers to its screen's first questions. */

/** The page's head waits for who is signed in. Later, it is sent without answers. */
export const STATE_PATIENCE_MS = 100;
/** From the same moment, the page's end waits for all answers; those that are missing then are asked for by the page. */
export const ANSWERS_PATIENCE_MS = 250;
/** Questions of one page. The overview has twelve; lists have a question for each hundred. */
export const MAX_QUESTIONS = 20;
/** Pages of one list: a longer one would hold back all that comes behind it. */
export const MAX_PAGES_OF_LIST = 2;
/** Of all answers of one page, in characters before it is compressed. */
export const MAX_ANSWERS_LENGTH = 96 * 1024;
/** Pages that wait for answers at the same time; another one is sent without. */
export const MAX_PAGES_WAITING = 64;
