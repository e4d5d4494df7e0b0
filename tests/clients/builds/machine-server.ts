/** A process with builders, to be killed: `node machine-server.ts <data folder> <folder of buildkitd>`. Prints a builder's socket. */
import { openTestMachine, wanted } from "#builds/testing/machine.ts";

const [dataFolder = "", programs = ""] = process.argv.slice(2);
const { builders } = await openTestMachine({ programs }, { dataFolder });
const { socket } = await builders.open(wanted());
console.log(socket);
// Until it is killed.
setInterval(() => {}, 60_000);
