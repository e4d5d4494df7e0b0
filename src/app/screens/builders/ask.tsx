import { useHere } from "../../data/organization.ts";

/** Commands of the server's machine are for those who operate it. */
export function Ask() {
  const { user } = useHere();
  return user.is_operator ? null : <span className="xs subtle">Ask whoever operates this server.</span>;
}
