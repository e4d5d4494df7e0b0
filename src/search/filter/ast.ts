/** A piece of a filter expression and its place, so that a later mistake can point at it. */
export interface Token {
  text: string;
  /** Offset in UTF-16 units in `source`. */
  start: number;
  end: number;
  /** The whole expression that the token was cut from. */
  source: string;
}

export type ComparisonOperator = "=" | "!=" | ">" | ">=" | "<" | "<=";

/** The result of `parseFilter`; `attribute` is always a path such as `hierarchy.lvl0`. */
export type FilterNode =
  | { kind: "and" | "or"; nodes: FilterNode[] }
  | { kind: "not"; node: FilterNode }
  | { kind: "compare"; operator: ComparisonOperator; attribute: Token; value: Token }
  | { kind: "between"; attribute: Token; from: Token; to: Token }
  | { kind: "in"; attribute: Token; values: Token[] }
  | { kind: "exists" | "isNull" | "isEmpty"; attribute: Token }
  | { kind: "contains" | "startsWith"; attribute: Token; value: Token }
  | { kind: "geoRadius"; at: Token; latitude: number; longitude: number; metres: number }
  | { kind: "geoBox"; at: Token; top: number; right: number; bottom: number; left: number }
  | { kind: "geoPolygon"; at: Token; vertices: { latitude: number; longitude: number }[] };
