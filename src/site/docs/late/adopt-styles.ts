const adopted = new Set<string>();

/**
 * Adds styles that come with a feature's code (`import styles from "./x.css?inline"`), so that it never appears without
 * them and they cost nothing before. Rules belong in `@layer components`, as in the documentation's style sheet.
 */
export function adoptStyles(styles: string): void {
  if (adopted.has(styles)) return;
  adopted.add(styles);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
