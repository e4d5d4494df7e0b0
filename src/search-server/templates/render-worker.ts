/**
 * Runs in its own thread: renders a Liquid template with a document. A template reaches nothing but what it is given: there are
 * no files to include, and properties that objects inherit do not exist.
 */
import { parentPort } from "node:worker_threads";
import { Liquid } from "liquidjs";
import { ownHeapBytes } from "../payloads/resting-thread.ts";
import {
  MAX_RENDERED_LENGTH,
  MAX_TEMPLATE_LENGTH,
  MAX_TEMPLATE_MEMORY,
  MAX_TEMPLATE_STEPS,
  TEMPLATE_MS,
} from "../protocol/limits.ts";

export interface TemplateScope {
  doc: { [name: string]: unknown };
  fields: { name: string; value: unknown; is_searchable: boolean }[];
}

export interface RenderRequest {
  id: number;
  template: string;
  scope: TemplateScope;
}

export type RenderAnswer = { id: number; heapBytes: number } & ({ rendered: string } | { problem: string });

const liquid = new Liquid({
  // Names of other templates are looked up here, and in no folder.
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: MAX_TEMPLATE_LENGTH,
  renderLimit: TEMPLATE_MS,
  memoryLimit: MAX_TEMPLATE_MEMORY,
});

function render({ template, scope }: RenderRequest): { rendered: string } | { problem: string } {
  try {
    const parsed = liquid.parse(template);
    const rendered = String(liquid.renderSync(parsed, scope, { templateLimit: MAX_TEMPLATE_STEPS }));
    if (rendered.length <= MAX_RENDERED_LENGTH) return { rendered };
    return { problem: `the result has more than ${MAX_RENDERED_LENGTH} characters` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (request: RenderRequest) => {
  const answer: RenderAnswer = { id: request.id, heapBytes: ownHeapBytes(), ...render(request) };
  parentPort?.postMessage(answer, []);
});
