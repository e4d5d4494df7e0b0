import type { InstallFacts } from "./reference-schemas.ts";

/**
 * `{{cli:npm}}` in pages and facts becomes the command with that name from `install` of `content/facts/cli.yaml`. The
 * command contains `{{origin}}`, which every server fills with its own address.
 */
export function fillInstall(text: string, install: InstallFacts): string {
  const commands: { [name: string]: string | boolean } = { ...install };
  return text.replaceAll(/\{\{cli:(\w+)\}\}/g, (place, name: string) => {
    const command = commands[name];
    // An unknown name stays: it is invalid MDX, so it is reported with its line.
    return typeof command === "string" ? command : place;
  });
}
