/** Installs this server's CLI. Same commands as `install` of `content/facts/cli.yaml`; a test keeps the two equal. */
export const installCommand = (origin: string): string => `npm install -g ${origin}/cli/millrace.tgz`;

/** Goes before the words of a command where the CLI is not installed: in CI. */
export const npxCommand = (origin: string): string => `npx -y --package ${origin}/cli/millrace.tgz millrace`;
