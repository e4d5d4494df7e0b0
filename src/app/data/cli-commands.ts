/** How somebody gets the CLI of this server, as `install` of `content/facts/cli.yaml` has it; a test holds the two together. */
export const installCommand = (origin: string): string => `npm install -g ${origin}/cli/millrace.tgz`;

/** Before the words of a command, where nothing is installed: in CI. */
export const npxCommand = (origin: string): string => `npx -y --package ${origin}/cli/millrace.tgz millrace`;
