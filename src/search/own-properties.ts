/**
 * Attributes of documents are named by whoever wrote the documents, and may be called `__proto__` or `constructor`. Reading
 * goes through `Object.hasOwn` or a Map, writing through here.
 */

/** Assignment, but for `__proto__`, which as an attribute must stay one. */
export function setOwn<Value>(target: { [name: string]: Value }, name: string, value: Value): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** What the object itself has under a name; undefined for what it only inherits. */
export function getOwn<Value>(source: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(source, name) ? source[name] : undefined;
}
