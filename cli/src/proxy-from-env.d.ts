declare module "proxy-from-env" {
  /** @returns the address of the proxy that the environment names for it; "": none */
  export function getProxyForUrl(url: { protocol: string; host: string; port: string }): string;
}
