/** Does a list of attribute names (`["*"]`, `title`, `author`, `author.name`, `hierarchy_*`) cover a dotted path? */
export function coversPath(names: readonly string[], path: string): boolean {
  return names.some((name) => nameCovers(name, path));
}

/** Does the list reach into the path: cover it, or cover something below it? */
export function reachesPath(names: readonly string[], path: string): boolean {
  return names.some((name) => nameCovers(name, path) || name.startsWith(`${path}.`));
}

function nameCovers(name: string, path: string): boolean {
  if (name === "*" || name === path || path.startsWith(`${name}.`)) return true;
  return name.endsWith("*") && path.startsWith(name.slice(0, -1));
}
