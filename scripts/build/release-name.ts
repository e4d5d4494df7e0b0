import packageJson from "../../package.json" with { type: "json" };

/**
 * `millrace@0.1.0+1a2b3c4d`: the version, and what the site was made from. The browser and the server report it alike.
 * @param key the stamp of the step `site`.
 */
export function releaseName(key: string): string {
  return `millrace@${packageJson.version}+${key.slice(0, 8)}`;
}
