/** Limits for a page that comes with the answers to its screen's first questions. */

/** How long the page's head waits for the session; after that, it is sent without answers. */
export const STATE_PATIENCE_MS = 100;
/** How long the page's end waits for all answers, from the same moment; the page asks for the missing ones. */
export const ANSWERS_PATIENCE_MS = 250;
/** Questions for one page. The overview has twelve; lists have a question for each hundred. */
export const MAX_QUESTIONS = 20;
/** Pages of one list: a longer list would hold back everything after it. */
export const MAX_PAGES_OF_LIST = 2;
/** Length of all answers of one page, in characters before compression. */
export const MAX_ANSWERS_LENGTH = 96 * 1024;
/** Pages that wait for answers at the same time; further pages are sent without answers. */
export const MAX_PAGES_WAITING = 64;
