/** In the order of the search: most browsers also claim to be those below them. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];
const MAX_LOOKED_AT = 500;

/** `Firefox on macOS`, from the header `User-Agent`: words of this file only, never the client's own. */
export function describeBrowser(userAgent: string | undefined): string {
  const text = (userAgent ?? "").slice(0, MAX_LOOKED_AT);
  const find = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(text))?.[1];
  const [browser = "A browser", system] = [find(BROWSERS), find(SYSTEMS)];
  return system ? `${browser} on ${system}` : browser;
}
