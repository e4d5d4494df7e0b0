export interface Series {
  label: string;
  values: number[];
  /** A custom property: `--color-accent-line`. */
  colour: string;
  kind: "line" | "bars";
  isFilled?: boolean;
}
