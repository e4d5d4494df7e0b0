import {
  type AuditEvent,
  createInvitation,
  createOrganization,
  deleteOrganization,
  getOrganization,
  type Invitation,
  listAuditEvents,
  listInvitations,
  listMembers,
  listOrganizations,
  type Member,
  type Organization,
  removeMember,
  turnOffMembersTwoStep,
  revokeInvitation,
  updateMember,
  updateOrganization,
} from "#accounts/index.ts";
import { createKept, type ServiceMethods } from "../calls/call.ts";
import type { OrganizationService } from "../gen/millrace/v1/organization_service_pb.ts";
import { fromTimestamp, toItems, toTimestamp } from "./convert.ts";

export const organizationMethods: ServiceMethods<typeof OrganizationService> = {
  create: (call, { name }) =>
    createKept(
      call,
      (caller) => createOrganization(call.accounts, caller, { name }),
      (organization) => ({ organization: toOrganization(organization) }),
    ),

  async get(call, { organization }) {
    return { organization: toOrganization(await getOrganization(call.accounts, call, { organization })) };
  },

  async list(call, request) {
    const page = await listOrganizations(call.accounts, call, request);
    return { organizations: toItems(page, toOrganization), nextPageToken: page.nextPageToken };
  },

  async update(call, { organization, name }) {
    const updated = await updateOrganization(call.accounts, call, { organization, name });
    return { organization: toOrganization(updated) };
  },

  async delete(call, { organization }) {
    await deleteOrganization(call.accounts, call, { organization });
    return {};
  },

  async listMembers(call, request) {
    const page = await listMembers(call.accounts, call, request);
    return { members: toItems(page, toMember), nextPageToken: page.nextPageToken };
  },

  async updateMember(call, request) {
    return { member: toMember(await updateMember(call.accounts, call, request)) };
  },

  async removeMember(call, request) {
    await removeMember(call.accounts, call, request);
    return {};
  },

  async turnOffTwoStep(call, request) {
    await turnOffMembersTwoStep(call.accounts, call, request);
    return {};
  },

  createInvitation: (call, { organization, mail, role }) =>
    createKept(
      call,
      (caller) => createInvitation(call.accounts, caller, { organization, mail, role }),
      ({ invitation, url }) => ({ invitation: toInvitation(invitation), url }),
    ),

  async listInvitations(call, request) {
    const page = await listInvitations(call.accounts, call, request);
    return { invitations: toItems(page, toInvitation), nextPageToken: page.nextPageToken };
  },

  async revokeInvitation(call, { invitationId }) {
    await revokeInvitation(call.accounts, call, { invitationId });
    return {};
  },

  async listAuditEvents(call, request) {
    const span = { from: fromTimestamp(request.from), to: fromTimestamp(request.to) };
    const page = await listAuditEvents(call.accounts, call, { ...request, ...span });
    return { events: toItems(page, toAuditEvent), nextPageToken: page.nextPageToken };
  },
};

const toOrganization = ({ role, createdAt, ...organization }: Organization) => ({
  ...organization,
  role: role ?? "",
  createdAt: toTimestamp(createdAt),
});

const toMember = ({ mail, createdAt, lastSeenAt, signInMethods, ...member }: Member) => ({
  ...member,
  signInMethods: [...signInMethods],
  mail: mail ?? "",
  createdAt: toTimestamp(createdAt),
  lastSeenAt: toTimestamp(lastSeenAt),
});

const toInvitation = ({ mail, createdAt, expiresAt, ...invitation }: Invitation) => ({
  ...invitation,
  mail: mail ?? "",
  createdAt: toTimestamp(createdAt),
  expiresAt: toTimestamp(expiresAt),
});

const toAuditEvent = ({ time, details, ...event }: AuditEvent) => ({
  ...event,
  time: toTimestamp(time),
  details: { ...details },
});
