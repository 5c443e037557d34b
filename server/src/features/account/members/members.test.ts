import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeApp,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { mailedToken } from '../../../../test/outbox.ts'
import { listGoals } from '../../corrections/goals/contract.ts'
import { listProfiles, listWorkspaceProfiles } from '../profiles/contract.ts'
import { archiveWorkspace, createWorkspace, listWorkspaces } from '../workspaces/contract.ts'
import {
  acceptInvitation,
  inviteMember,
  inviteProfileMember,
  listInvitations,
  listMembers,
  listProfileInvitations,
  putMember,
  removeMember,
  removeProfileMember,
  revokeInvitation,
  revokeProfileInvitation,
  updateProfileMember,
} from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
})
afterAll(() => app.close())

it('an invitation reaches the person by mail only, and makes them a member once', async () => {
  const guest = await makePerson(app, 'Guest')
  const { data } = await owner.call(inviteMember, {
    params: { workspaceId },
    body: { email: guest.email.toUpperCase(), role: 'editor' },
  })
  expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(7 * 86_400_000)
  const token = await mailedToken(app, guest.email.toUpperCase())
  const pending = await owner.call(listInvitations, { params: { workspaceId } })
  expect(pending.data.map((row) => row.id)).toEqual([data.id])
  expect(JSON.stringify([data, pending])).not.toContain(token)

  const intruder = await makePerson(app, 'Intruder')
  expect(await refusalOf(intruder.call(acceptInvitation, { body: { token } }))).toMatchObject({
    status: 403,
    code: 'forbidden',
    reason: 'email_mismatch',
  })
  const accepted = await guest.call(acceptInvitation, { body: { token } })
  expect(accepted.data).toEqual({
    workspace_id: workspaceId,
    profile_id: null,
    membership_id: null,
    role: 'editor',
  })
  expect(await refusalOf(guest.call(acceptInvitation, { body: { token } }))).toMatchObject({
    status: 409,
    code: 'invalid_state',
    reason: 'invitation_accepted',
  })
  const params = { workspaceId, invitationId: data.id }
  expect(await refusalOf(owner.call(revokeInvitation, { params }))).toMatchObject({ code: 'invalid_state' })
  const members = await owner.call(listMembers, { params: { workspaceId } })
  expect(members.data.map((member) => [member.user_id, member.role])).toEqual([
    [owner.id, 'owner'],
    [guest.id, 'editor'],
  ])
})

it('a revoked, expired or unknown invitation cannot be accepted', async () => {
  const guest = await makePerson(app, 'Late')
  const invite = () =>
    owner.call(inviteMember, { params: { workspaceId }, body: { email: guest.email, role: 'viewer' } })
  const first = await invite()
  expect(await refusalOf(invite())).toMatchObject({ code: 'invalid_state', reason: 'already_invited' })
  const revoked = await mailedToken(app, guest.email)
  const params = { workspaceId, invitationId: first.data.id }
  await owner.call(revokeInvitation, { params })
  expect(await refusalOf(owner.call(revokeInvitation, { params }))).toMatchObject({
    code: 'invalid_state',
    reason: 'invitation_revoked',
  })
  const accept = (token: string) => refusalOf(guest.call(acceptInvitation, { body: { token } }))
  expect(await accept(revoked)).toMatchObject({ status: 409, reason: 'invitation_revoked' })
  const second = await invite()
  await app.service.db
    .updateTable('invitations')
    .set({ expires_at: new Date() })
    .where('id', '=', second.data.id)
    .execute()
  expect(await accept(await mailedToken(app, guest.email))).toMatchObject({ reason: 'invitation_expired' })
  expect(await accept('whence_invite_nonsense')).toMatchObject({ status: 404, code: 'not_found' })
  expect((await owner.call(listInvitations, { params: { workspaceId } })).data).toEqual([])
})

it('the invitation of an archived workspace cannot be accepted', async () => {
  const guest = await makePerson(app, 'Guest')
  const ending = await makeWorkspace(owner)
  await owner.call(inviteMember, {
    params: { workspaceId: ending },
    body: { email: guest.email, role: 'viewer' },
  })
  const { data } = await owner.call(archiveWorkspace, { params: { workspaceId: ending } })
  expect(data.counts.invitations_revoked).toBe(1)
  const token = await mailedToken(app, guest.email)
  expect(await refusalOf(guest.call(acceptInvitation, { body: { token } }))).toMatchObject({
    status: 410,
    code: 'workspace_archived',
  })
})

it('people of a workspace that an app provisioned get no mail and are added by the app', async () => {
  const partner = await makeApp(app, workspaceId)
  const { data } = await partner.call(createWorkspace, { body: { email: owner.email } })
  const params = { workspaceId: data.workspace_id }
  const body = { email: 'new@example.com', role: 'viewer' as const }
  expect(await refusalOf(owner.call(inviteMember, { params, body }))).toMatchObject({
    status: 403,
    code: 'app_provisioned_workspace',
  })
  const added = await partner.call(putMember, { params, body })
  expect(added.data).toMatchObject({ email: 'new@example.com', role: 'viewer' })
  const changed = await partner.call(putMember, { params, body: { ...body, role: 'admin' } })
  expect(changed.data).toMatchObject({ user_id: added.data.user_id, role: 'admin' })
  expect((await partner.call(listMembers, { params })).data).toHaveLength(2)
  await partner.call(removeMember, { params: { ...params, userId: added.data.user_id } })
  expect((await partner.call(listMembers, { params })).data).toHaveLength(1)
  const request = { params: { workspaceId }, body }
  expect(await refusalOf(partner.call(putMember, request))).toMatchObject({ status: 404, code: 'not_found' })
})

it('a person can change members but not add people, and cannot remove the last owner', async () => {
  const newWorkspaceId = await makeWorkspace(owner)
  const params = { workspaceId: newWorkspaceId }
  const admin = await makePerson(app, 'Admin')
  const put = (caller: Person, email: string, role: 'owner' | 'admin' | 'viewer') =>
    caller.call(putMember, { params, body: { email, role } })
  expect(await refusalOf(put(owner, admin.email, 'admin'))).toMatchObject({ status: 404 })
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: newWorkspaceId, user_id: admin.id, role: 'admin', created_at: new Date() })
    .execute()
  expect(await refusalOf(put(admin, admin.email, 'owner'))).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await refusalOf(put(owner, owner.email, 'viewer'))).toMatchObject({
    status: 409,
    code: 'invalid_state',
    reason: 'last_owner',
  })
  expect((await put(owner, admin.email, 'owner')).data.role).toBe('owner')
  await admin.call(removeMember, { params: { workspaceId: newWorkspaceId, userId: owner.id } })
  expect((await owner.call(listWorkspaces)).data.map((row) => row.id)).not.toContain(newWorkspaceId)
})

it('a profile member can access that profile only', async () => {
  await makeProfile(owner, workspaceId)
  const guest = await makePerson(app, 'Guest')
  const params = { workspaceId, profileId }
  await owner.call(inviteProfileMember, { params, body: { email: guest.email, role: 'viewer' } })
  expect((await owner.call(listProfileInvitations, { params })).data).toHaveLength(1)
  const accepted = await guest.call(acceptInvitation, {
    body: { token: await mailedToken(app, guest.email) },
  })
  expect(accepted.data).toMatchObject({ profile_id: profileId, role: 'viewer' })
  expect((await guest.call(listProfiles)).data.map((profile) => profile.id)).toEqual([profileId])
  expect((await guest.call(listWorkspaceProfiles, { params: { workspaceId } })).data).toHaveLength(1)
  expect((await guest.call(listWorkspaces)).data).toMatchObject([{ id: workspaceId, role: null }])
  expect(await refusalOf(guest.call(listMembers, { params: { workspaceId } }))).toMatchObject({ status: 404 })

  const membershipId = accepted.data.membership_id!
  const changed = await owner.call(updateProfileMember, {
    params: { ...params, membershipId },
    body: { permissions: ['customers:read'] },
  })
  expect(changed.data).toMatchObject({ user_id: guest.id, role: 'viewer', permissions: ['customers:read'] })
  const otherParams = { workspaceId, profileId: await makeProfile(owner, workspaceId), membershipId }
  expect(await refusalOf(owner.call(removeProfileMember, { params: otherParams }))).toMatchObject({
    status: 404,
  })
  await owner.call(removeProfileMember, { params: { ...params, membershipId } })
  expect((await guest.call(listProfiles)).data).toEqual([])
  const invitation = await owner.call(inviteProfileMember, {
    params,
    body: { email: guest.email, role: 'editor' },
  })
  await owner.call(revokeProfileInvitation, { params: { ...params, invitationId: invitation.data.id } })
  expect((await owner.call(listProfileInvitations, { params })).data).toEqual([])
})

it('a membership applies to its profile only, and can be changed through its workspace only', async () => {
  const guest = await makePerson(app, 'Guest')
  const params = { workspaceId, profileId }
  await owner.call(inviteProfileMember, { params, body: { email: guest.email, role: 'viewer' } })
  const accepted = await guest.call(acceptInvitation, {
    body: { token: await mailedToken(app, guest.email) },
  })
  const membershipId = accepted.data.membership_id!
  const stranger = await makePerson(app, 'Stranger')
  const otherParams = { workspaceId: await makeWorkspace(stranger), profileId, membershipId }
  const changing = stranger.call(updateProfileMember, { params: otherParams, body: { role: 'editor' } })
  expect(await refusalOf(changing)).toMatchObject({ status: 404 })
  expect(await refusalOf(stranger.call(removeProfileMember, { params: otherParams }))).toMatchObject({
    status: 404,
  })
  expect((await guest.call(listProfiles)).data.map((profile) => profile.id)).toEqual([profileId])
  const query = { profile_id: await makeProfile(owner, workspaceId) }
  expect(await refusalOf(guest.call(listGoals, { query }))).toMatchObject({ status: 404 })
  expect((await guest.call(listGoals, { query: { profile_id: profileId } })).data.length).toBeGreaterThan(0)
})
