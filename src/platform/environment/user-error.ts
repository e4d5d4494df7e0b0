/** Something the user can fix: only its message is printed, and the process ends with exit code 1. */
export class UserError extends Error {
  override name = "UserError";
}
