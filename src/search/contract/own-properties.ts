/**
 * Attributes of documents are named by the documents' authors, and may be called `__proto__` or `constructor`. Reading goes
 * through `Object.hasOwn` or a Map, writing through here.
 */

/** Assignment, except for `__proto__`, which must stay an attribute. */
export function setOwn<Value>(target: { [name: string]: Value }, name: string, value: Value): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The object's own value under a name; undefined for an inherited one. */
export function getOwn<Value>(source: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(source, name) ? source[name] : undefined;
}
