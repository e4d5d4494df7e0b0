/** Programs also read the server's messages: they begin in lower case and end without a point. Names stay unchanged: `acme/web`. */
export function asSentence(message: string): string {
  const [initial = ""] = message;
  const first = /^\S*[/:]/.test(message) ? initial : initial.toUpperCase();
  return `${first}${message.slice(initial.length)}${/[.!?…]$/.test(message) ? "" : "."}`;
}
