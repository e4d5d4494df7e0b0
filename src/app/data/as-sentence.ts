/** Programs read the server's messages, too: they begin small and end without a point. A name stays as it is: `acme/web`. */
export function asSentence(message: string): string {
  const [initial = ""] = message;
  const first = /^\S*[/:]/.test(message) ? initial : initial.toUpperCase();
  return `${first}${message.slice(initial.length)}${/[.!?…]$/.test(message) ? "" : "."}`;
}
