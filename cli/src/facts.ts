/** The commands of `content/facts/cli.yaml`. The build compiles them into the bundle (`read-facts.ts`). */

export interface Flag {
  /** With its dashes: `--project`. */
  name: string;
  /** `-p` */
  short?: string;
  /** The flag's value: `<id>`, `table|json|csv`. Absent for a switch. */
  value?: string;
  default?: string;
  /** The environment variable that sets it. */
  env?: string;
  required?: boolean;
  repeatable?: boolean;
  description: string;
}

export interface Command {
  /** The words after `millrace`: `builds list`. */
  name: string;
  group: string;
  /** The part of the service that it needs. */
  part: string;
  summary: string;
  synopsis: string;
  /** The program whose flags the command also takes. */
  passthrough?: string;
  arguments: { name: string; required?: boolean; description: string }[];
  flags: Flag[];
  examples: { run: string; description?: string }[];
}

export interface Facts {
  globalFlags: Flag[];
  commands: Command[];
  exitCodes: { code: number; meaning: string }[];
  /** Names of parts in messages: `{ registry: "registry" }`. */
  parts: { [id: string]: string };
}

declare const MILLRACE_FACTS: Facts;

export const readBundledFacts = (): Facts => MILLRACE_FACTS;
