export interface CommandPart {
  text: string;
  /** Program, option, quoted text; undefined: anything else. */
  kind?: "program" | "option" | "text";
}

// Quoted text, an operator between two commands, white space, a word.
const PART = /"[^"]*"|'[^']*'|&&|\|\||[|;]|\s+|[^\s"'|;&]+|[&"']/g;
const OPERATOR = /^(?:&&|\|\||[|;])$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The parts of a command line; joined, they are the command. */
export function splitCommand(command: string): CommandPart[] {
  let isStart = true;
  return (command.match(PART) ?? []).map((text) => {
    if (/^\s/.test(text)) return { text };
    if (OPERATOR.test(text)) {
      isStart = true;
      return { text };
    }
    if (isStart && !ASSIGNMENT.test(text)) {
      isStart = false;
      return { text, kind: "program" };
    }
    if (/^["']/.test(text)) return { text, kind: "text" };
    return text.startsWith("-") ? { text, kind: "option" } : { text };
  });
}
