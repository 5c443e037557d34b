/** Partner apps: registration, secrets, data-processing agreements and authorizations. */

import { randomBytes } from 'node:crypto'
import type { WorkspaceContext } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { type CreatedByApp, listCreatedByApps } from '../../../platform/access/created-by-apps.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lookupHash, mintToken } from '../../../platform/secrets/tokens.ts'
import { withdrawAuthorization } from '../../sources/connections/authorizations.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import * as queries from './queries.ts'

const DPA_VERSION = '2026-01'
const appNotFound = () => new ApiError('not_found', 'No such app in this workspace.')

export type AppWithSecrets = queries.OAuthAppRow & { secrets: queries.SecretRow[] }

export async function listOAuthApps(context: WorkspaceContext): Promise<AppWithSecrets[]> {
  const apps = await queries.listApps(context.db, { workspaceId: context.workspaceId })
  const now = context.service.clock.machineNow()
  const secrets = await queries.listLiveSecrets(context.db, { appIds: apps.map((app) => app.id), now })
  return apps.map((app) => ({ ...app, secrets: secrets.filter((secret) => secret.app_id === app.id) }))
}

async function getApp(tx: Tx, context: WorkspaceContext, appId: string): Promise<AppWithSecrets> {
  const [app] = await queries.listApps(tx, { workspaceId: context.workspaceId, appId })
  if (app === undefined) throw appNotFound()
  const now = context.service.clock.machineNow()
  return { ...app, secrets: await queries.listLiveSecrets(tx, { appIds: [appId], now }) }
}

async function lockApp(tx: Tx, context: WorkspaceContext, appId: string): Promise<void> {
  if (!(await queries.lockApp(tx, { workspaceId: context.workspaceId, appId }))) throw appNotFound()
}

export async function createOAuthApp(context: WorkspaceContext, body: queries.Registration) {
  const { workspaceId, now } = context
  return inTransaction(context.db, async (tx) => {
    await requireBelowLimit(tx, 'oauth_apps', workspaceId, () => queries.countApps(tx, { workspaceId }))
    const id = uuidv7(now)
    const clientId = `app_${randomBytes(12).toString('hex')}`
    await queries.insertApp(tx, { workspaceId, id, clientId, registration: body, now })
    const { secret } = await mintSecret(tx, context, id)
    await recordChange(tx, context, { workspaceId, action: 'app.registered', subject: id, detail: body })
    return { app: await getApp(tx, context, id), secret }
  })
}

async function mintSecret(tx: Tx, context: WorkspaceContext, appId: string) {
  const now = context.service.clock.machineNow()
  const minted = mintToken('app_secret')
  const lookup = lookupHash(context.service.keyring, minted.token)
  const madeBy = context.caller.userId
  await queries.insertSecret(tx, {
    appId,
    id: uuidv7(now),
    lookupHash: lookup,
    hint: minted.hint,
    madeBy,
    now,
  })
  return { secret: minted.token, hint: minted.hint }
}

export async function updateOAuthApp(
  context: WorkspaceContext,
  appId: string,
  patch: Partial<queries.Registration>,
): Promise<AppWithSecrets> {
  const { workspaceId, now } = context
  return inTransaction(context.db, async (tx) => {
    await lockApp(tx, context, appId)
    await queries.updateApp(tx, { workspaceId, appId, patch, now })
    await recordChange(tx, context, { workspaceId, action: 'app.changed', subject: appId, detail: patch })
    return getApp(tx, context, appId)
  })
}

/** The newest secret works until the grace period ends; older ones are revoked now. */
export async function rotateOAuthAppSecret(
  context: WorkspaceContext,
  appId: string,
  { grace_days: graceDays }: { grace_days: number },
) {
  const { workspaceId } = context
  const now = context.service.clock.machineNow()
  const result = await inTransaction(context.db, async (tx) => {
    await lockApp(tx, context, appId)
    const { client_id, secrets } = await getApp(tx, context, appId)
    const [newest, ...older] = secrets
    const previousExpiresAt = newest === undefined ? null : new Date(now.getTime() + graceDays * DAY_MS)
    if (newest !== undefined)
      await queries.setSecretExpiry(tx, { appId, id: newest.id, expiresAt: previousExpiresAt })
    await queries.revokeSecrets(tx, { appId, ids: older.map((secret) => secret.id), now })
    const { secret, hint } = await mintSecret(tx, context, appId)
    await recordChange(tx, context, {
      workspaceId,
      action: 'app.secret_rotated',
      subject: appId,
      detail: { grace_days: graceDays },
    })
    return { client_id, client_secret: secret, hint, previous_expires_at: previousExpiresAt }
  })
  forgetCredentials(context.service)
  return result
}

export async function acceptDpa(context: WorkspaceContext, appId: string): Promise<queries.OAuthAppRow> {
  const { workspaceId, now } = context
  const accepted = await inTransaction(context.db, async (tx) => {
    await lockApp(tx, context, appId)
    const app = await getApp(tx, context, appId)
    if (app.dpa_accepted_at !== null && app.dpa_withdrawn_at === null && app.dpa_version === DPA_VERSION)
      return app
    const { userId } = context.caller
    await queries.saveDpaAcceptance(tx, { workspaceId, appId, userId, version: DPA_VERSION, now })
    await recordChange(tx, context, { workspaceId, action: 'app.dpa_accepted', subject: appId })
    return getApp(tx, context, appId)
  })
  forgetCredentials(context.service)
  return accepted
}

/** Afterwards the app's keys cannot read people of the profiles that it provisioned. */
export async function withdrawDpa(context: WorkspaceContext, appId: string): Promise<queries.OAuthAppRow> {
  const { workspaceId, now } = context
  const withdrawn = await inTransaction(context.db, async (tx) => {
    await lockApp(tx, context, appId)
    const app = await getApp(tx, context, appId)
    if (app.dpa_accepted_at === null)
      throw new ApiError('invalid_state', 'The agreement was never accepted.', { reason: 'dpa_not_accepted' })
    if (app.dpa_withdrawn_at !== null) return app
    await queries.withdrawDpaAcceptance(tx, { workspaceId, appId, now })
    await recordChange(tx, context, { workspaceId, action: 'app.dpa_withdrawn', subject: appId })
    return getApp(tx, context, appId)
  })
  forgetCredentials(context.service)
  return withdrawn
}

export async function revokeConnectedApp(context: WorkspaceContext, id: string): Promise<void> {
  const { workspaceId } = context
  const now = context.service.clock.machineNow()
  await inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    const authorization = (await queries.listConnectedApps(tx, { workspaceId })).find((row) => row.id === id)
    if (authorization === undefined)
      throw new ApiError('not_found', 'No such authorization in this workspace.')
    const { app_id: appId, profile_id: profileId } = authorization
    await withdrawAuthorization(tx, { id, appId, profileId, userId: context.caller.userId, now })
    await recordChange(tx, context, {
      workspaceId,
      profileId: authorization.profile_id,
      action: 'app.authorization_revoked',
      subject: id,
      detail: { app_id: authorization.app_id, grant: authorization.grant_name },
    })
  })
  forgetCredentials(context.service)
}

export type ConnectedApp = queries.ConnectedAppRow & { created: CreatedByApp[] }

export async function listConnectedApps({ db, workspaceId }: WorkspaceContext): Promise<ConnectedApp[]> {
  const rows = await queries.listConnectedApps(db, { workspaceId })
  const profileIds = [...new Set(rows.map((row) => row.profile_id))]
  const created = await listCreatedByApps(db, { profileIds })
  return rows.map((row) => ({
    ...row,
    created: created.filter((resource) => resource.authorization_id === row.id),
  }))
}
