const adopted = new Set<string>();

/**
 * Styles that come with the code of a feature (`import styles from "./x.css?inline"`), so that nobody sees it without
 * them and they cost nothing before. Rules belong in `@layer components`, as in the documentation's style sheet.
 */
export function adoptStyles(styles: string): void {
  if (adopted.has(styles)) return;
  adopted.add(styles);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
