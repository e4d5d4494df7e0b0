import { forEachChild, parse, type SyntaxNode } from "unbash";

export interface ShellCommand {
  /** The program and its arguments, without quotes; assignments before the program are left out. */
  words: string[];
  /** Line in the text, from 1. */
  line: number;
}

export interface ShellText {
  /** In the order of the text; commands in `$(…)` come before the command that contains them. */
  commands: ShellCommand[];
  /** Reasons why a shell would reject the text. */
  mistakes: { message: string; line: number }[];
}

/**
 * Parses shell text with Bash's grammar and runs nothing. `<token>` and `${{ … }}` stand for a value that the reader or a
 * CI provider inserts: they become "…", a word of the same length, so that positions stay.
 */
export function readShell(text: string): ShellText {
  const source = text
    .replace(/\$\{\{.*?\}\}/g, (all) => "…".repeat(all.length))
    .replace(/<[a-z][\w .…-]*>/gi, (all) => "…".repeat(all.length));
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  const result: ShellText = { commands: [], mistakes: [] };

  const visit = (node: SyntaxNode, outer: number) => {
    // An old-style `…` with escapes has its own unescaped text; its parts get the line where it starts.
    const isOwnText = node.type === "Script" && node.source !== undefined;
    const line = (offset: number) => (outer > 0 ? outer : lineAt(offset));
    const inside = isOwnText ? line(node.pos) : outer;
    if (node.type === "Script") {
      for (const { message, pos } of node.errors ?? []) result.mistakes.push({ message, line: line(pos) });
    }
    if (node.type === "HereDoc" && !node.closing) {
      const message = `the here-document "${node.delimiter?.value ?? ""}" has no end`;
      result.mistakes.push({ message, line: line(node.pos) });
    }
    forEachChild(node, (child) => visit(child, inside));
    if (node.type !== "Command" || !node.name) return;
    const words = [node.name, ...node.args].map((word) => (word.type === "Word" ? word.value : word.text));
    result.commands.push({ words, line: line(node.pos) });
  };
  visit(parse(source), 0);
  return result;
}
