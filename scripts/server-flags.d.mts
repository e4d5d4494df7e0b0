export const WASM_FLAGS: string[];
export const SERVER_FLAGS: readonly string[];
export const SERVER_ENVIRONMENT: { readonly [name: string]: string };
