import type { InstallFacts } from "./reference-schemas.ts";

/**
 * `{{cli:npm}}` in pages and facts becomes the command that `install` of `content/facts/cli.yaml` has under that name. The
 * command has `{{origin}}` in it, which every server fills with its own address.
 */
export function fillInstall(text: string, install: InstallFacts): string {
  const commands: { [name: string]: string | boolean } = { ...install };
  return text.replaceAll(/\{\{cli:(\w+)\}\}/g, (place, name: string) => {
    const command = commands[name];
    // What is left is no MDX, and so a mistake that has a line.
    return typeof command === "string" ? command : place;
  });
}
