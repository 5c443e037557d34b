/** Sender domains of workspaces: DKIM keys, DNS records and the resulting mail sender. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Service, WorkspaceContext } from '../../../context.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { MailSender } from '../../../platform/mail/mailer.ts'
import { openText, type SealedCell, seal } from '../../../platform/secrets/seal.ts'
import { requireMailToPeople, requirePaidPlan } from '../workspaces/plan.ts'
import * as queries from './queries.ts'
import {
  type Check,
  checkRecord,
  isMailHost,
  type LookupResult,
  type Purpose,
  requiredDnsRecords,
  returnPathOf,
  statusAfter,
} from './rules.ts'

const generateKeys = promisify(generateKeyPair)

const privateKeyCell = (workspaceId: string): SealedCell => ({
  table: 'sender_domains',
  row: workspaceId,
  column: 'private_key',
  profileId: null,
})

export async function getSenderDomain({ service, db, workspaceId }: WorkspaceContext) {
  const row = await queries.findSenderDomain(db, { workspaceId })
  return row === undefined ? null : toReply(service, db, row)
}

async function toReply(service: Service, db: Db | Tx, row: queries.SenderRow) {
  const { status, domain, checks } = row
  return {
    domain,
    status,
    records: requiredRecords(service, row).map((record) => ({
      ...record,
      ...(checks[record.purpose] ?? { status: 'unchecked' as const, found: [] }),
    })),
    from: `${await senderName(db, row)} <${senderAddress(row)}>`,
    created_at: row.created_at,
    checked_at: row.checked_at,
  }
}

const senderAddress = (row: queries.SenderRow) => `${row.from_local}@${row.domain}`

async function senderName(
  db: Db | Tx,
  row: Pick<queries.SenderRow, 'from_name' | 'workspace_id'>,
): Promise<string> {
  if (row.from_name !== null) return row.from_name
  const names = await queries.findSenderNames(db, { workspaceId: row.workspace_id })
  return names.display_name ?? names.name
}

const requiredRecords = (service: Service, row: queries.SenderRow) =>
  requiredDnsRecords({
    domain: row.domain,
    selector: row.selector,
    publicKey: row.public_key,
    returnPathHost: service.config.MAIL_RETURN_PATH_HOST,
  })

export async function registerSenderDomain(
  context: WorkspaceContext,
  body: { domain: string; from_name: string | null; from_local: string },
) {
  const { service, workspaceId, now } = context
  await requireMailToPeople(context.db, workspaceId)
  if (isMailHost(body.domain))
    throw new ApiError('validation_error', 'belongs to a mail provider; use a domain of your own.', {
      field: 'domain',
    })
  await requirePaidPlan(service, context.db, { workspaceId, feature: 'A sending domain of your own' })
  const { privateKey, publicKey } = await generateKeys('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return inTransaction(context.db, async (tx) => {
    const isSaved = await queries.saveSenderDomain(tx, {
      ...body,
      workspace_id: workspaceId,
      // Unique per workspace, so that two workspaces with the same domain each verify their own key.
      selector: `whence-${workspaceId.replaceAll('-', '').slice(-12)}`,
      private_key: seal(service.keyring, privateKeyCell(workspaceId), privateKey),
      public_key: publicKey.toString('base64'),
      created_at: now,
    })
    if (!isSaved)
      throw new ApiError('invalid_state', 'The workspace has another sending domain. Remove it first.', {
        reason: 'sender_domain_exists',
      })
    await recordChange(tx, context, {
      workspaceId,
      action: 'sender_domain.registered',
      subject: workspaceId,
      detail: { domain: body.domain },
    })
    const row = await queries.findSenderDomain(tx, { workspaceId })
    return toReply(service, tx, row!)
  })
}

const notRegistered = () => new ApiError('not_found', 'The workspace has no sending domain.')

export async function removeSenderDomain(context: WorkspaceContext): Promise<void> {
  const { workspaceId } = context
  await inTransaction(context.db, async (tx) => {
    const domain = await queries.deleteSenderDomain(tx, { workspaceId })
    if (domain === undefined) throw notRegistered()
    await recordChange(tx, context, {
      workspaceId,
      action: 'sender_domain.removed',
      subject: workspaceId,
      detail: { domain },
    })
  })
}

export async function verifySenderDomain({ service, db, workspaceId, now }: WorkspaceContext) {
  const row = await checkSender(service, db, { workspaceId, now })
  if (row === undefined) throw notRegistered()
  return toReply(service, db, row)
}

/** Looks up the records without a lock; the result is discarded if the domain changed in the meantime. */
export async function checkSender(
  service: Service,
  db: Db | Tx,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<queries.SenderRow | undefined> {
  const row = await queries.findSenderDomain(db, { workspaceId })
  if (row === undefined) return undefined
  const records = await Promise.all(
    requiredRecords(service, row).map(async (record) => ({
      ...record,
      check: checkRecord(record, await lookUp(service, record)),
    })),
  )
  const checks: Partial<Record<Purpose, Check>> = {}
  for (const { purpose, check } of records) checks[purpose] = check
  const status = statusAfter({ status: row.status, createdAt: row.created_at }, records, now)
  const { domain, public_key } = row
  const saved = { workspaceId, domain, public_key, status, checks, now }
  return (await queries.saveChecks(db, saved)) ?? queries.findSenderDomain(db, { workspaceId })
}

async function lookUp(
  { dns }: Service,
  { type, name }: { type: 'TXT' | 'CNAME'; name: string },
): Promise<LookupResult> {
  try {
    return await (type === 'TXT' ? dns.texts(name) : dns.cnames(name))
  } catch {
    return null
  }
}

/** The sender of a workspace's reports: its verified domain, or the deployment's address with the workspace's name. */
export async function loadMailSender(service: Service, workspaceId: string): Promise<MailSender> {
  const row = await queries.findSenderDomain(service.db, { workspaceId })
  const name = await senderName(service.db, row ?? { from_name: null, workspace_id: workspaceId })
  if (row?.status !== 'verified') return { name, domain: null }
  const hasReturnPath = service.config.MAIL_RETURN_PATH_HOST !== undefined
  return {
    name,
    domain: {
      address: senderAddress(row),
      returnPath: hasReturnPath ? `bounces@${returnPathOf(row.domain)}` : null,
      selector: row.selector,
      privateKey: openText(service.keyring, privateKeyCell(workspaceId), row.private_key),
    },
  }
}
