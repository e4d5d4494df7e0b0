/** Earlier builds that a build is compared with. */
export const MAX_COMPARED_BUILDS = 20;
/** Causes in an explanation. After a change to a thousand files, the first ones are enough. */
export const MAX_CAUSES = 20;
/** Characters of a text in an explanation. */
export const MAX_TEXT = 200;
/** Steps of a build that are compared. */
export const MAX_STEPS = 2000;
/** Largest provenance that is read, in bytes. */
export const MAX_PROVENANCE_BYTES = 4 * 2 ** 20;
/** Variables, files, secrets and the like of one step. */
export const MAX_PARTS = 500;
