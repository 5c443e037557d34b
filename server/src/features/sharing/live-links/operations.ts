/** Creates, lists and revokes live links. */
import type { z } from 'zod'
import type { ProfileContext, ProfileRef, Service, WorkspaceContext } from '../../../context.ts'
import { isHealthcare } from '../../../context.ts'
import { requireDecider } from '../../../platform/access/decisions.ts'
import { listOpenProfiles, onProfile } from '../../../platform/access/open-profiles.ts'
import { mailOwners } from '../../../platform/access/owner-mail.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { hashPassword } from '../../../platform/secrets/passwords.ts'
import { requirePaidPlan } from '../../account/workspaces/plan.ts'
import * as contract from './contract.ts'
import * as queries from './queries.ts'
import { linkToken } from './rules.ts'

const scope = 'campaigns:read'
export const feature = 'A live link for clients'

function toLiveLink(service: Service, row: queries.LiveLinkRow, profileName: string) {
  const token = linkToken(service.identityPepper, { profileId: row.profile_id, id: row.id })
  return toReply(contract.LiveLink, row, {
    profile_name: profileName,
    url: `${service.config.BASE_URL}/share/live/${token}`,
    has_password: row.password_hash !== null,
  })
}

export async function listLiveLinks(context: WorkspaceContext) {
  const names = new Map((await listOpenProfiles(context, { scope })).map(({ id, name }) => [id, name]))
  const rows = await queries.listOpenLinks(context.db, { profileIds: [...names.keys()], now: context.now })
  return rows.map((row) => toLiveLink(context.service, row, names.get(row.profile_id)!))
}

export async function createLiveLink(context: WorkspaceContext, body: z.output<typeof contract.NewLiveLink>) {
  const { workspaceId, now, service, caller } = context
  const [profile] = await listOpenProfiles(context, { scope, profileIds: [body.profile_id] })
  if (isHealthcare(profile!)) await requireHealthcareTerms(onProfile(context, profile!), body.password)
  await requirePaidPlan(service, context.db, { workspaceId, feature })
  const passwordHash = body.password === undefined ? null : await hashPassword(body.password)
  return inTransaction(context.db, async (tx) => {
    const profileId = body.profile_id
    await requireBelowLimit(tx, 'live_links', profileId, () => queries.countOpenLinks(tx, { profileId, now }))
    const row = await queries.insertLiveLink(tx, {
      profile_id: profileId,
      id: uuidv7(now),
      name: body.name,
      reports: body.reports,
      period: body.period,
      model: body.model,
      language: body.language,
      created_by: caller.userId,
      created_at: now,
      expires_at: new Date(now.getTime() + body.expires_in_days * DAY_MS),
      password_hash: passwordHash,
      for_healthcare: isHealthcare(profile!),
    })
    await recordChange(tx, context, { workspaceId, profileId, action: 'live_link.created', subject: row.id })
    if (isHealthcare(profile!)) await mailOwnersOf(tx, context, profile!)
    return toLiveLink(service, row, profile!.name)
  })
}

/** A healthcare profile requires an owner or admin, and a password, so that a forwarded link alone shows nothing. */
async function requireHealthcareTerms(context: ProfileContext, password: string | undefined): Promise<void> {
  await requireDecider(context, 'A live link of a healthcare profile')
  if (password === undefined)
    throw new ApiError('validation_error', 'a live link of a healthcare profile requires a password.', {
      field: 'password',
    })
}

async function mailOwnersOf(tx: Tx, context: WorkspaceContext, profile: ProfileRef): Promise<void> {
  await mailOwners(tx, {
    workspaceId: context.workspaceId,
    actor: context.caller,
    subject: `A live link shows figures of ${profile.name}`,
    lines: [
      'Anyone with the link and its password can see the chosen reports of this healthcare profile.',
      `View or revoke it: ${context.service.config.BASE_URL}/p/${profile.id}/client-reports`,
    ],
  })
}

export async function revokeLiveLink(context: WorkspaceContext, id: string): Promise<void> {
  const { workspaceId, now } = context
  const profileIds = (await listOpenProfiles(context, { scope })).map((profile) => profile.id)
  const row = await queries.findLink(context.db, { profileIds, id })
  if (row === undefined) throw new ApiError('not_found', 'This workspace has no such live link.')
  if (row.revoked_at !== null) return
  await inTransaction(context.db, async (tx) => {
    const profileId = row.profile_id
    await queries.markRevoked(tx, { profileId, id, now })
    await recordChange(tx, context, { workspaceId, profileId, action: 'live_link.revoked', subject: id })
  })
}
