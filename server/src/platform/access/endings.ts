/**
 * What people and keys created, when they lose the permission for it. What sends people's data to a place that they
 * chose ends. What the business's own systems use passes to the owners. The owners get a mail that names both.
 */
import type { AnyContext, Caller, Service } from '../../context.ts'
import { isHealthcare } from '../../context.ts'
import { recordChange } from '../audit/record.ts'
import { roleAtLeast, type Scope, scopesOfMember, type WorkspaceRole } from '../contract/access.ts'
import type { Tx } from '../db/database.ts'
import { revokeFamily } from './authorizations.ts'
import { lockEnding } from './live-maker.ts'
import * as created from './maker-queries.ts'
import { membershipsOf } from './open-profiles.ts'
import { mailOwners } from './owner-mail.ts'
import { listProfileRefs } from './queries.ts'
import { findUserById } from './user-queries.ts'

type Context = Pick<AnyContext, 'now'> & Partial<Pick<AnyContext, 'requestId'>> & { caller: Caller }
type Person = { workspaceId: string; userId: string }

/** Call it in the transaction that removed the person or lowered a role, after the change. */
export async function endWhatPersonMade(tx: Tx, context: Context, person: Person): Promise<void> {
  const { now } = context
  const { workspaceId, userId } = person
  const user = await findUserById(tx, { userId })
  if (user === undefined) return
  const memberOf = await membershipsOf(tx, person)
  const profiles = (await listProfileRefs(tx, { workspaceId })).map((profile) => {
    const member = memberOf(profile.id)
    return { ...profile, member, scopes: member === undefined ? [] : scopesOfMember(member) }
  })
  const idsWhere = (isLost: (profile: (typeof profiles)[number]) => boolean) =>
    profiles.filter(isLost).map(({ id }) => id)
  const lacking = (scope: Scope) => idsWhere(({ scopes }) => !scopes.includes(scope))
  const below = (role: WorkspaceRole) =>
    idsWhere(({ member }) => member === undefined || !roleAtLeast(member.role, role))
  const notAdmin = below('admin')
  const isOutside = profiles.every(({ member }) => member === undefined)
  const isAdmin = profiles.length > 0 && notAdmin.length === 0
  const byPerson = { maker: { userId }, now }

  const ended = [
    ...(await created.pauseWebhooks(tx, { ...byPerson, profileIds: lacking('webhooks:write') })),
    ...(await created.closeContacts(tx, { ...byPerson, profileIds: lacking('customers:read') })),
    ...(await created.disableDestinations(tx, {
      ...byPerson,
      profileIds: idsWhere(
        (profile) =>
          !profile.scopes.includes('exports:write') ||
          (isHealthcare(profile) && notAdmin.includes(profile.id)),
      ),
    })),
    ...(await created.disableDataExports(tx, { ...byPerson, profileIds: notAdmin })),
    ...(isAdmin ? [] : await created.revokeInvitations(tx, { userId, workspaceId, now })),
    ...(isOutside
      ? await created.removeRecipient(tx, { email: user.email, profileIds: profiles.map(({ id }) => id) })
      : []),
  ]
  const passed = [
    ...(await created.listKeys(tx, { userId, profileIds: notAdmin, now })),
    ...(isAdmin ? [] : await created.listAppSecrets(tx, { userId, workspaceId, now })),
    ...(await created.listAppAccess(tx, { userId, profileIds: below('editor') })),
    ...(await created.listConnections(tx, {
      maker: { userId },
      profileIds: lacking('connections:write'),
    })),
    ...(await created.listLiveLinks(tx, { userId, profileIds: below('editor'), now })),
    ...(isOutside ? await created.listSnapshots(tx, { userId, workspaceId, now }) : []),
    ...(await created.listBriefWebhooks(tx, { userId, profileIds: notAdmin })),
  ]
  await report(tx, context, { workspaceId, subject: userId, who: user.email, ended, passed })
}

/** Call it in the transaction that revoked a key, a user token or the consent of an assistant. */
export async function endWhatCredentialMade(
  tx: Tx,
  context: Context,
  credential: { id: string; name: string; workspaceId: string; profileIds: readonly string[] },
): Promise<void> {
  const { workspaceId, profileIds, id, name } = credential
  const made = { maker: { credentialId: id }, profileIds, now: context.now }
  const ended = [
    ...(await created.pauseWebhooks(tx, made)),
    ...(await created.disableDestinations(tx, made)),
    ...(await created.disableDataExports(tx, made)),
  ]
  const passed = await created.listConnections(tx, made)
  await report(tx, context, { workspaceId, subject: id, who: `the key ${name}`, ended, passed })
}

type Consent = { id: string; userId: string; name: string | null }

/** What the tokens of a person or of one consent created, in all workspaces of the person. */
export async function endWhatTokensMade(
  tx: Tx,
  context: Context,
  { id, userId, name }: Consent,
): Promise<void> {
  for (const { workspace_id: workspaceId, profile_ids: profileIds } of await created.listProfilesOfPerson(
    tx,
    { userId },
  ))
    await endWhatCredentialMade(tx, context, { id, name: name ?? 'of a person', workspaceId, profileIds })
}

/**
 * Ends the consent of an assistant without its person: the client revokes its token, or a replay shows that a token
 * leaked. Without a token left nothing is done, so a repeated replay sends no further mail.
 */
export async function endConsent(tx: Tx, service: Pick<Service, 'clock'>, consent: Consent): Promise<void> {
  await lockEnding(tx, { credentialId: consent.id })
  if ((await revokeFamily(tx, { family: consent.id, now: service.clock.machineNow() })) === 0) return
  await endWhatTokensMade(tx, { now: service.clock.now(), caller: { kind: 'anonymous' } }, consent)
}

type Report = {
  workspaceId: string
  subject: string
  who: string
  ended: readonly created.Created[]
  passed: readonly created.Created[]
}

async function report(tx: Tx, context: Context, made: Report): Promise<void> {
  const { workspaceId, subject, who, ended, passed } = made
  if (ended.length + passed.length === 0) return
  const ids = (list: readonly created.Created[]) => list.map(({ kind, id }) => ({ kind, id }))
  await recordChange(tx, context, {
    workspaceId,
    action: 'access.creations_ended',
    subject,
    detail: { ended: ids(ended), passed: ids(passed) },
  })
  const listed = (title: string, list: readonly created.Created[]) =>
    list.length === 0 ? [] : [[title, ...list.map(({ kind, name }) => `- ${kind}: ${name}`)].join('\n')]
  await mailOwners(tx, {
    workspaceId,
    actor: context.caller,
    subject: `What ${who} created, now that this access has ended`,
    lines: [
      `${who} no longer has the permission for what is listed here.`,
      ...listed('Stopped. Who switches it on again takes it over:', ended),
      ...listed(
        'Still in use, and now yours. Check each, and replace the keys, secrets and links that others have seen:',
        passed,
      ),
    ],
  })
}
