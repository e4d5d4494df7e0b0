/** Paths of screens, for the table in `screen-loads.ts`. The server also reads them, and has no screens. */

export const ORGANIZATION = "/app/:org";

/** Matches like the router, which comes with React. */
export function isAt(path: string, pathname: string): boolean {
  const parts = pathname.split("/").filter(Boolean);
  const wanted = path.split("/").filter(Boolean);
  const isOpen = wanted.at(-1) === "*" && wanted.pop() !== undefined;
  if (isOpen ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every((part, index) => part.startsWith(":") || part === parts[index]);
}
