/** Between spaces, so that one of them is found by its name. */
export const joinPlatforms = (platforms: readonly string[]): string =>
  platforms.length === 0 ? "" : ` ${platforms.join(" ")} `;
