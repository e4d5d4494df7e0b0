/** An edit that cannot be made, in words for the operator. */
export class EditError extends Error {}
