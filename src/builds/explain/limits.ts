/** Of the earlier builds that a build is compared with. */
export const MAX_COMPARED_BUILDS = 20;
/** Of an explanation. Who changed a thousand files is helped by the first. */
export const MAX_CAUSES = 20;
/** Characters of a text in an explanation. */
export const MAX_TEXT = 200;
/** Steps of a build that are looked at. */
export const MAX_STEPS = 2000;
/** Bytes of a provenance that are read. */
export const MAX_PROVENANCE_BYTES = 4 * 2 ** 20;
/** Variables, files, secrets and the like of one step. */
export const MAX_PARTS = 500;
