/** Runs in Chromium: every transport of Connect's own client. Tests call `window.runClients`. */
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { BadRequestSchema } from "#api/gen/google/rpc/error_details_pb.ts";
import { BuildService } from "#api/gen/millrace/v1/build_service_pb.ts";
import { ProjectService } from "#api/gen/millrace/v1/project_service_pb.ts";

declare global {
  interface Window {
    runClients: (token: string) => Promise<Record<string, unknown>>;
  }
}

window.runClients = async (token) => {
  const baseUrl = `${location.origin}/api`;
  const transports = {
    json: createConnectTransport({ baseUrl }),
    binary: createConnectTransport({ baseUrl, useBinaryFormat: true }),
    "grpc-web": createGrpcWebTransport({ baseUrl }),
  };
  const results: Record<string, unknown> = {};
  for (const [name, transport] of Object.entries(transports))
    results[name] = await runClient(transport, name, token);
  return results;
};

async function runClient(transport: Transport, name: string, token: string) {
  const projects = createClient(ProjectService, transport);
  const headers = { authorization: `Bearer ${token}` };
  const { project } = await projects.create({ name }, { headers });
  const { projects: listed } = await projects.list({ pageSize: 1 }, { headers });
  const violation = await failure(projects.create({ name: "No Name" }, { headers }));
  const stranger = await failure(projects.list({}));
  const builds = createClient(BuildService, transport);
  const stream = await failure(drain(builds.streamLogs({ buildId: "bld_0000000000" }, { headers })));
  return {
    name: project?.name,
    size: String(project?.cacheSizeBytes),
    listed: listed.length,
    violation: [Code[violation.code], violation.findDetails(BadRequestSchema)[0]?.fieldViolations[0]?.field],
    stranger: [Code[stranger.code], stranger.rawMessage],
    stream: [Code[stream.code], stream.rawMessage],
  };
}

const failure = (call: Promise<unknown>): Promise<ConnectError> =>
  call.then(
    () => new ConnectError("it worked"),
    (error: unknown) => ConnectError.from(error),
  );

async function drain(messages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of messages);
}
