/** The package has no type declarations. */
declare module "parse-prometheus-text-format" {
  export interface MetricFamily {
    name: string;
    help: string;
    type: string;
    metrics: { value?: string; labels?: { [name: string]: string } }[];
  }
  export default function parsePrometheusTextFormat(text: string): MetricFamily[];
}
