/** Receivers of briefs: members manage their own mails; owners and admins manage webhooks. */
import type { WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles, type OpenProfile } from '../../../platform/access/open-profiles.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { getUser } from '../../../platform/access/user-queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { roleAtLeast } from '../../../platform/contract/access.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { seal } from '../../../platform/secrets/seal.ts'
import { requireMailToPeople } from '../../account/workspaces/plan.ts'
import { checkUrl } from '../../outgoing/webhooks/subscriptions.ts'
import { nextRunAt } from '../client-reports/schedule-rules.ts'
import type { Language } from '../client-reports/words.ts'
import * as queries from './queries.ts'

const scope = 'campaigns:read'

type Cadence = 'daily' | 'weekly' | 'never'
type Settings = {
  profile_id: string
  cadence: Cadence
  weekday: number
  time: string
  language: Language
  alerts?: boolean | undefined
}

export const urlPlace = (profileId: string, id: string) => ({
  table: 'brief_receivers',
  row: id,
  column: 'url',
  profileId,
})

/** The first due time after `after`, in the profile's time zone; null for receivers of alerts only. */
export function nextBriefAt(
  row: Pick<queries.ReceiverRow, 'cadence' | 'weekday' | 'time'>,
  timezone: string,
  after: Date,
): Date | null {
  if (row.cadence === 'never') return null
  const cadence = row.cadence as 'daily' | 'weekly'
  return nextRunAt({ cadence, weekday: row.weekday, day: 1, time: row.time }, timezone, after)
}

export async function listBriefReceivers(context: WorkspaceContext) {
  const profiles = await listOpenProfiles(context, { scope })
  const rows = await queries.listReceivers(context.db, { profileIds: profiles.map(({ id }) => id) })
  const canSeeWebhooks = roleAtLeast(context.role, 'admin')
  return {
    subscriptions: rows.filter((row) => row.user_id === context.caller.userId).map(toSubscription),
    webhooks: canSeeWebhooks ? rows.filter((row) => row.kind !== 'mail').map(toWebhook) : [],
  }
}

async function getOpenProfile(context: WorkspaceContext, profileId: string): Promise<OpenProfile> {
  const [profile] = await listOpenProfiles(context, { scope, profileIds: [profileId] })
  return profile!
}

export async function putBriefSubscription(context: WorkspaceContext, body: Settings) {
  const { now, caller } = context
  const profile = await getOpenProfile(context, body.profile_id)
  const alerts = body.alerts ?? body.cadence !== 'never'
  if (body.cadence !== 'never' || alerts) {
    await requireMailToPeople(context.db, context.workspaceId)
    if ((await getUser(context.db, caller.userId)).email_verified_at === null)
      throw new ApiError(
        'invalid_state',
        'Verify your email address first; briefs are only sent to verified addresses.',
        {
          reason: 'email_unverified',
        },
      )
  }
  const row = await inTransaction(context.db, (tx) =>
    queries.saveSubscription(tx, {
      ...body,
      alerts,
      id: uuidv7(now),
      kind: 'mail',
      user_id: caller.userId,
      next_run_at: nextBriefAt(body, profile.timezone, now),
      created_by: caller.userId,
      created_at: now,
    }),
  )
  return toSubscription(row)
}

export async function createBriefWebhook(
  context: WorkspaceContext,
  body: Settings & { kind: 'slack' | 'teams'; name: string; url: string },
) {
  const { service, workspaceId, now, caller } = context
  const profile = await getOpenProfile(context, body.profile_id)
  const url = checkUrl(context, body.url)
  const { host } = new URL(url)
  const id = uuidv7(now)
  return inTransaction(context.db, async (tx) => {
    await requireBelowLimit(tx, 'brief_webhooks', profile.id, async () => {
      const existing = await queries.listReceivers(tx, { profileIds: [profile.id] })
      return existing.filter(({ kind }) => kind !== 'mail').length
    })
    const row = await queries.insertReceiver(tx, {
      ...body,
      alerts: body.alerts ?? body.cadence !== 'never',
      id,
      host,
      url: seal(service.keyring, urlPlace(profile.id, id), url),
      next_run_at: nextBriefAt(body, profile.timezone, now),
      created_by: caller.userId,
      created_at: now,
    })
    await recordChange(tx, context, {
      workspaceId,
      profileId: profile.id,
      action: 'brief_webhook.created',
      subject: id,
      detail: { kind: body.kind, name: body.name, host },
    })
    return toWebhook(row)
  })
}

export async function deleteBriefWebhook(context: WorkspaceContext, id: string): Promise<void> {
  const { workspaceId, db } = context
  const profiles = await listOpenProfiles(context, { scope })
  const rows = await queries.listReceivers(db, { profileIds: profiles.map((profile) => profile.id) })
  const row = rows.find(({ id: rowId, kind }) => rowId === id && kind !== 'mail')
  if (row === undefined) throw new ApiError('not_found', 'No such webhook for briefs.')
  await inTransaction(db, async (tx) => {
    if (!(await queries.deleteReceiver(tx, { profileId: row.profile_id, id }))) return
    await recordChange(tx, context, {
      workspaceId,
      profileId: row.profile_id,
      action: 'brief_webhook.removed',
      subject: id,
      detail: { kind: row.kind, name: row.name, host: row.host },
    })
  })
}

function toSettings(row: queries.ReceiverRow) {
  return {
    profile_id: row.profile_id,
    cadence: row.cadence as Cadence,
    weekday: row.weekday,
    time: row.time,
    language: row.language as Language,
    alerts: row.alerts,
    next_run_at: row.next_run_at,
  }
}
const toSubscription = toSettings

function toWebhook(row: queries.ReceiverRow) {
  return {
    ...toSettings(row),
    id: row.id,
    kind: row.kind as 'slack' | 'teams',
    name: row.name!,
    host: row.host!,
    last_sent_at: row.last_sent_at,
    last_error: row.last_error,
  }
}
