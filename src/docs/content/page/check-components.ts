import type { Node, Root } from "mdast";
import { visit } from "unist-util-visit";
import { checkAddress } from "./check-address.ts";
import type { AttributeRule, ComponentNode, Components } from "../blocks/component.ts";
import { attributesOf, isComponent } from "../blocks/component-nodes.ts";
import { restorePlaceholders } from "./placeholders.ts";
import { didYouMean, lineOf, type ProblemList } from "../problem.ts";

/** Finds unknown components, missing, unknown or wrong attributes, and components in the wrong place. */
export function checkComponents(tree: Root, components: Components, problems: ProblemList): void {
  visit(tree, (node, _index, parent) => {
    if (!isComponent(node)) return;
    const name = node.name ?? "";
    const component = components.elements[name];
    if (!component) {
      const fix = unknownFix(node);
      const hint = didYouMean(name, Object.keys(components.elements));
      problems.error(lineOf(node), "component", `There is no component <${name}>.${hint}`, fix);
      return;
    }
    checkAttributes(node, component.attributes, component.example, problems);
    if (component.content === "none" && node.children.length > 0) {
      problems.error(lineOf(node), "component", `<${name}> has no content.`, component.example);
    }
    if (component.parent !== undefined && nameOf(parent) !== component.parent) {
      const message = `<${name}> must be directly inside <${component.parent}>.`;
      problems.error(lineOf(node), "component", message, component.example);
    }
    if (component.only !== undefined) checkChildren(node, component.only, component.example, problems);
  });
}

function checkChildren(node: ComponentNode, only: string, example: string, problems: ProblemList): void {
  const stranger = node.children.find((child) => nameOf(child) !== only);
  if (node.children.length === 0) {
    problems.error(lineOf(node), "component", `<${node.name}> has no <${only}> in it.`, example);
  } else if (stranger) {
    const message = `Only <${only}> can be directly inside <${node.name}>.`;
    problems.error(lineOf(stranger), "component", message, example);
  }
}

function nameOf(node: Node | undefined): string | null {
  return node && isComponent(node) ? node.name : null;
}

function unknownFix(node: ComponentNode): string {
  const name = node.name ?? "";
  if (/^[a-z]/.test(name)) return `Write Markdown, or \`<${name}>\` as code if readers should see the tag.`;
  return "CONTRIBUTING.md lists the components.";
}

function checkAttributes(
  node: ComponentNode,
  rules: Record<string, AttributeRule>,
  example: string,
  problems: ProblemList,
): void {
  const report = (message: string) => problems.error(lineOf(node), "attribute", message, example);
  for (const attribute of node.attributes) {
    if (attribute.type !== "mdxJsxAttribute" || (attribute.value && typeof attribute.value !== "string")) {
      report(`<${node.name}> has an expression as an attribute: write the value in quotes.`);
    }
  }
  const attributes = attributesOf(node);
  for (const [name, value] of Object.entries(attributes)) {
    const rule = rules[name];
    if (!rule) {
      report(`<${node.name}> has no attribute "${name}".${didYouMean(name, Object.keys(rules))}`);
      continue;
    }
    if (rule.values && !rule.values.includes(value)) {
      report(`${name} cannot be "${value}".${didYouMean(value, rule.values)}`);
    }
    if (rule.kind === "link")
      checkAddress(restorePlaceholders(value), attributes.title ?? "text", lineOf(node), problems);
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.required && !attributes[name]?.trim() && !hasExpression(node, name)) {
      report(
        `<${node.name}> needs ${name === "alt" ? "an alternative text, alt" : `the attribute ${name}`}="…".`,
      );
    }
  }
}

function hasExpression(node: ComponentNode, name: string): boolean {
  return node.attributes.some(
    (attribute) =>
      attribute.type === "mdxJsxAttribute" && attribute.name === name && typeof attribute.value === "object",
  );
}
