/** Identifies the device later: "Chrome on macOS". */
export function nameOfBrowser(agent: string): string {
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((name) => agent.includes(`${name}/`));
  const system = ["Android", "iPhone", "iPad", "Mac OS X", "Windows", "Linux"].find((name) =>
    agent.includes(name),
  );
  const words: { [name: string]: string } = { Edg: "Edge", "Mac OS X": "macOS" };
  return [browser, system].map((name) => words[name ?? ""] ?? name ?? "a browser").join(" on ");
}
