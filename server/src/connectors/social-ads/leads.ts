/** Reads older leads of subscribed pages form by form, as long as the platform stores them; newer ones arrive as webhooks. */
import { z } from 'zod'
import { addDays } from '../../platform/contract/dates.ts'
import type { StepPage } from '../ad-account-steps.ts'
import { ProviderError, type Session, type SyncWindow } from '../connector.ts'
import { id } from '../reply-fields.ts'
import { mapItems, parsedOrSetAside } from '../set-aside.ts'
import { callGraph, readGraphPage, readWholeList } from './calls.ts'
import { toLead } from './mapping.ts'
import { Lead } from './replies.ts'

/** The platform deletes leads after 90 days. */
const RETENTION_DAYS = 90
const PAGE_SIZE = 100
export const leadFields = 'id,created_time,ad_id,campaign_id,form_id,field_data'

export type LeadStep = { kind: 'leads'; pageId: string; fromDay: string }

export function leadSteps(window: SyncWindow): LeadStep[] {
  const oldest = addDays(window.untilDay, 1 - RETENTION_DAYS)
  const fromDay = window.sinceDay > oldest ? window.sinceDay : oldest
  return (window.pageIds ?? []).map((pageId) => ({ kind: 'leads', pageId, fromDay }))
}

const FormCursor = z.object({ forms: z.array(z.string()).min(1), after: z.string().nullable() })
const Form = z.looseObject({ id })
const PageToken = z.looseObject({ access_token: z.string().min(1) })

/** A page whose leads the consent does not cover is reported with the reason and does not affect other pages. */
export async function readLeads(session: Session, step: LeadStep, after: string | null): Promise<StepPage> {
  try {
    const page = await readForms(session, step, after)
    return after === null ? { ...page, cleared: [step.pageId] } : page
  } catch (error) {
    const isInaccessible =
      error instanceof ProviderError && ['permission_missing', 'not_found'].includes(error.reason)
    if (!isInaccessible) throw error
    const reason = `Leads of this page cannot be read: ${error.providerMessage ?? error.message}`
    return { records: [], setAside: [{ kind: 'page_leads', externalId: step.pageId, reason }], after: null }
  }
}

async function readForms(session: Session, step: LeadStep, after: string | null): Promise<StepPage> {
  const { http, app, token } = session
  const { access_token: pageToken } = await callGraph(http, app, token.accessToken, {
    path: `/${encodeURIComponent(step.pageId)}`,
    query: { fields: 'access_token' },
    schema: PageToken,
  })
  if (after === null) {
    const path = `/${encodeURIComponent(step.pageId)}/leadgen_forms`
    const pageTokenSet = { ...token, accessToken: pageToken }
    const forms = await readWholeList(http, app, pageTokenSet, path, Form, { fields: 'id', limit: PAGE_SIZE })
    return { records: [], after: formCursor(forms.map((form) => form.id)) }
  }
  const { forms, after: afterInForm } = FormCursor.parse(JSON.parse(after))
  const since = Math.floor(Date.parse(`${step.fromDay}T00:00:00Z`) / 1000) - 1
  const page = await readGraphPage(
    http,
    app,
    pageToken,
    `/${encodeURIComponent(forms[0]!)}/leads`,
    parsedOrSetAside('lead', Lead),
    {
      fields: leadFields,
      filtering: JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value: since }]),
      limit: PAGE_SIZE,
      after: afterInForm ?? undefined,
    },
  )
  return {
    ...mapItems('lead', page.items, (lead) => toLead(lead, step.pageId)),
    after: page.after === null ? formCursor(forms.slice(1)) : formCursor(forms, page.after),
  }
}

const formCursor = (forms: readonly string[], after: string | null = null): string | null =>
  forms.length === 0 ? null : JSON.stringify({ forms, after })
