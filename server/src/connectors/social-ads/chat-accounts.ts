/**
 * Chat-app business accounts: their templates, and how often a template was sent, delivered, read and clicked. Paths
 * and parameters from Meta's Business Management API and its client facebook-nodejs-business-sdk 24.0.1; insights are
 * enabled once per account and stay enabled (WhatsApp analytics reference, read on 2026-11-16).
 */

import { z } from 'zod'
import { DAY_MS } from '../../platform/contract/dates.ts'
import {
  type ChatAccount,
  type ChatTemplate,
  ProviderError,
  type Session,
  type TemplateInsights,
} from '../connector.ts'
import { flag, id, text } from '../reply-fields.ts'
import { callGraph, readWholeList } from './calls.ts'

const PAGE_SIZE = 100

const Business = z.looseObject({
  id,
  owned_whatsapp_business_accounts: z
    .looseObject({ data: z.array(z.looseObject({ id, name: text })) })
    .nullish(),
})
const Template = z.looseObject({ id, name: z.string(), language: z.string(), status: text, category: text })
const InsightsSetting = z.looseObject({ is_enabled_for_insights: flag })
const Success = z.looseObject({})
const Count = z
  .number()
  .nullish()
  .transform((value) => value ?? null)
const Point = z.looseObject({
  start: z.number(),
  sent: Count,
  delivered: Count,
  read: Count,
  clicked: z.array(z.looseObject({ count: Count })).nullish(),
})
const Analytics = z.looseObject({ data: z.array(z.looseObject({ data_points: z.array(Point).nullish() })) })

const path = (accountId: string, edge = '') => `/${encodeURIComponent(accountId)}${edge}`

export async function listChatAccounts(session: Session): Promise<ChatAccount[]> {
  const { http, app, token } = session
  const businesses = await readWholeList(http, app, token, '/me/businesses', Business, {
    fields: 'id,owned_whatsapp_business_accounts{id,name}',
    limit: PAGE_SIZE,
  })
  const accounts = businesses.flatMap((business) => business.owned_whatsapp_business_accounts?.data ?? [])
  return [...new Map(accounts.map((account) => [account.id, account])).values()].map((account) => ({
    id: account.id,
    name: account.name ?? account.id,
  }))
}

/** Subscribes our app to webhooks of the account's messages. */
export async function subscribeChatAccount(session: Session, accountId: string): Promise<void> {
  await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: path(accountId, '/subscribed_apps'),
    schema: Success,
  })
}

export async function listChatTemplates(session: Session, accountId: string): Promise<ChatTemplate[]> {
  const { http, app, token } = session
  const edge = path(accountId, '/message_templates')
  const templates = await readWholeList(http, app, token, edge, Template, {
    fields: 'id,name,language,status,category',
    limit: PAGE_SIZE,
  })
  return templates.map(({ id: templateId, name, language, status, category }) => ({
    id: templateId,
    name,
    language,
    status,
    category,
  }))
}

/** The platform counts days in UTC. */
export async function readTemplateInsights(
  session: Session,
  template: { accountId: string; templateId: string },
  range: { sinceDay: string; untilDay: string },
): Promise<TemplateInsights> {
  const { http, app, token } = session
  const account = path(template.accountId)
  const { is_enabled_for_insights: isOn } = await callGraph(http, app, token.accessToken, {
    path: account,
    query: { fields: 'is_enabled_for_insights' },
    schema: InsightsSetting,
  })
  if (isOn !== true) return { state: await enableInsights(session, account) }
  const { data } = await callGraph(http, app, token.accessToken, {
    path: `${account}/template_analytics`,
    query: {
      start: Date.parse(`${range.sinceDay}T00:00:00Z`) / 1000,
      end: (Date.parse(`${range.untilDay}T00:00:00Z`) + DAY_MS) / 1000,
      granularity: 'DAILY',
      metric_types: 'SENT,DELIVERED,READ,CLICKED',
      template_ids: JSON.stringify([template.templateId]),
    },
    schema: Analytics,
  })
  const days = data
    .flatMap((list) => list.data_points ?? [])
    .map((point) => ({
      day: new Date(point.start * 1000).toISOString().slice(0, 10),
      sent: point.sent,
      delivered: point.delivered,
      read: point.read,
      clicked: point.clicked ? point.clicked.reduce((sum, { count }) => sum + (count ?? 0), 0) : null,
    }))
  return { state: 'ready', days }
}

async function enableInsights(session: Session, account: string): Promise<'enabling' | 'unsupported'> {
  try {
    await callGraph(session.http, session.app, session.token.accessToken, {
      method: 'POST',
      path: account,
      query: { is_enabled_for_insights: 'true' },
      schema: Success,
    })
    return 'enabling'
  } catch (error) {
    const isRefused =
      error instanceof ProviderError && (error.reason === 'rejected' || error.reason === 'permission_missing')
    if (isRefused) return 'unsupported'
    throw error
  }
}
