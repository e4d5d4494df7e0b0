import { useHere } from "../../data/organization.ts";

/** Commands for the server's machine are for operators. */
export function Ask() {
  const { user } = useHere();
  return user.is_operator ? null : <span className="text-xs subtle">Ask whoever operates this server.</span>;
}
