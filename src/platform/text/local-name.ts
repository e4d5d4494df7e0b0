/** Whether a host name or address always means the local machine. @param host `localhost`, `127.0.0.1`, `[::1]` */
export function isLocalName(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    /^127(?:\.\d{1,3}){3}$/.test(name) ||
    name === "::1" ||
    name === "[::1]"
  );
}
