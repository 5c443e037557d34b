/** Templates of the chat accounts, cached at each sync. Their insights are read live. */
import type { z } from 'zod'
import { type Connector, ProviderError, type Session } from '../../../connectors/connector.ts'
import type { ProfileContext } from '../../../context.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { replaceAccounts } from '../connections/account-queries.ts'
import { getProviderConnection, live } from '../connections/operations.ts'
import { CHAT_PROVIDER } from '../connections/webhook-job.ts'
import type { ChatTemplate, listChatTemplates as listEntry } from './contract.ts'
import * as queries from './queries.ts'

/** The platform starts counting some minutes after insights are turned on. */
const ENABLING_SECONDS = 300

type Query = z.output<(typeof listEntry)['query']>

export async function listChatTemplates(
  context: ProfileContext,
  { insights_days: days, ...filter }: Query,
): Promise<z.input<typeof ChatTemplate>[]> {
  const isSingle = filter.name !== undefined && filter.language !== undefined
  if (days !== undefined && !isSingle)
    throw new ApiError('invalid_parameter', 'requires name and language.', { field: 'insights_days' })
  const rows = await queries.listTemplates(context.db, { profileId: context.profile.id, ...filter })
  if (rows.length === 0 && isSingle) throw templateNotFound(filter.name!, filter.language!)
  const templates = rows.map(({ template_id, updated_at, ...row }) => ({
    id: template_id,
    ...row,
    updated_at,
    insights: null,
  }))
  if (days === undefined) return templates
  const insights = await readInsights(context, rows[0]!, days)
  return templates.map((template, index) => (index === 0 ? { ...template, insights } : template))
}

export const templateNotFound = (name: string, language: string) =>
  new ApiError('template_not_found', `No template ${name} in ${language} found.`, {
    hint: 'New templates appear after POST /chatapp/templates/sync.',
  })

export async function syncChatTemplates(context: ProfileContext) {
  const { profile } = context
  const row = await getProviderConnection(context, 'social_ads')
  const accounts = await live(context, row, (session, { connector }) => readTemplates(session, connector))
  const counts = await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const shared = { profileId: profile.id, connectionId: row.id, now }
    await replaceAccounts(tx, {
      ...shared,
      workspaceId: profile.workspaceId,
      provider: CHAT_PROVIDER,
      externalIds: accounts.map((account) => account.id),
    })
    return queries.replaceTemplates(tx, { ...shared, accounts })
  })
  const templates = accounts.reduce((sum, account) => sum + account.templates.length, 0)
  return { accounts: accounts.length, templates, ...counts }
}

async function readTemplates(session: Session, connector: Connector): Promise<queries.AccountTemplates[]> {
  const accounts: queries.AccountTemplates[] = []
  for (const account of await connector.chat!.listAccounts(session)) {
    await connector.chat!.subscribe(session, account.id)
    accounts.push({ ...account, templates: await connector.chat!.listTemplates(session, account.id) })
  }
  return accounts
}

async function readInsights(context: ProfileContext, template: queries.TemplateRow, days: number) {
  const untilDay = context.now.toISOString().slice(0, 10)
  const range = { sinceDay: addDays(untilDay, 1 - days), untilDay }
  const row = await getProviderConnection(context, 'social_ads')
  const ref = { accountId: template.account_id, templateId: template.template_id }
  const insights = await live(context, row, (session, { connector }) =>
    connector.chat!.readInsights(session, ref, range).catch(toUnavailable),
  )
  if (insights.state !== 'ready') throw notReady(insights.state)
  return insights.days
}

const notReady = (state: 'enabling' | 'unsupported') =>
  state === 'enabling'
    ? new ApiError('insights_enabling', 'Template insights were off and have just been turned on.', {
        retry_after_seconds: ENABLING_SECONDS,
        retryAfter: ENABLING_SECONDS,
      })
    : new ApiError('insights_unsupported', 'The platform does not offer template insights for this account.')

/** This route reports a failing platform as `social_unavailable`. */
function toUnavailable(error: unknown): never {
  if (error instanceof ProviderError && ['unavailable', 'malformed'].includes(error.reason))
    throw new ApiError('social_unavailable', 'The platform returned no template insights; try again later.', {
      cause: error,
    })
  throw error
}
