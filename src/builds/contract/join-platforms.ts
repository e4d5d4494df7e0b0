/** Surrounded by spaces, so that a search finds a platform by its name. */
export const joinPlatforms = (platforms: readonly string[]): string =>
  platforms.length === 0 ? "" : ` ${platforms.join(" ")} `;
