import type { InstallFacts } from "./reference-schemas.ts";

interface Quoted {
  /** Absent: its places stay. */
  cli?: { install: InstallFacts };
  cache: { lists: { [name: string]: string } };
}

/**
 * `{{cli:npm}}` in pages and facts becomes the command with that name from `install` of `content/facts/cli.yaml`; the command
 * contains `{{origin}}`, which every server fills with its own address. `{{cache:names}}` becomes the list with that name from
 * `lists` of `content/facts/cache.yaml`.
 */
export function fillPlaces(text: string, { cli, cache }: Quoted): string {
  const values: { [group: string]: { [name: string]: string | boolean } | undefined } = {
    cli: cli?.install,
    cache: cache.lists,
  };
  return text.replaceAll(/\{\{(cli|cache):(\w+)\}\}/g, (place, group: string, name: string) => {
    const value = values[group]?.[name];
    // An unknown name stays: it is invalid MDX, so it is reported with its line.
    return typeof value === "string" ? value : place;
  });
}
