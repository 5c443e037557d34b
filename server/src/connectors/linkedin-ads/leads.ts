/**
 * Leads of instant forms (Lead Sync): read by submission time, as long as LinkedIn stores them, and announced by signed
 * notifications, which are read back. Test leads are ignored.
 */
import { z } from 'zod'
import { addDays } from '../../platform/contract/dates.ts'
import type { StepPage } from '../ad-account-steps.ts'
import { type LeadRecord, ProviderError, type Session, type SetAside, type SyncWindow } from '../connector.ts'
import { flag, id, maybeId, text } from '../reply-fields.ts'
import { mapItems, parsedOrSetAside } from '../set-aside.ts'
import { toInstant, windowBounds } from '../window.ts'
import { callRest } from './calls.ts'
import { leadScope } from './products.ts'
import { idIn, recordOf, textOf, urn } from './restli.ts'

const RETENTION_DAYS = 90
const PAGE_SIZE = 100

export type LeadStep = { kind: 'leads'; window: SyncWindow }

/** No steps if the person did not grant the scope; a token response without scopes is accepted. */
export function leadSteps({ token }: Session, window: SyncWindow): LeadStep[] {
  if (token.scopes.length > 0 && !token.scopes.includes(leadScope)) return []
  const oldest = addDays(window.untilDay, 1 - RETENTION_DAYS)
  const sinceDay = window.sinceDay > oldest ? window.sinceDay : oldest
  return [{ kind: 'leads', window: { ...window, sinceDay } }]
}

const Question = z.looseObject({ questionId: id, name: text, predefinedField: text })
const Answer = z.looseObject({
  questionId: id,
  answerDetails: z
    .looseObject({
      textQuestionAnswer: z.looseObject({ answer: text }).nullish(),
      multipleChoiceAnswer: z.looseObject({ options: z.array(id).nullish() }).nullish(),
    })
    .nullish(),
})

export const LeadResponse = z.looseObject({
  id: z.string().min(1),
  submittedAt: z.number(),
  testLead: flag,
  versionedLeadGenFormUrn: text,
  associatedEntity: z.looseObject({ associatedCreative: text }).nullish(),
  leadMetadata: z
    .looseObject({ sponsoredLeadMetadata: z.looseObject({ campaign: text }).nullish() })
    .nullish(),
  formResponse: z.looseObject({ answers: z.array(Answer).nullish() }).nullish(),
  form: z
    .looseObject({
      id: maybeId,
      content: z.looseObject({ questions: z.array(Question).nullish() }).nullish(),
      hiddenFields: z.array(z.looseObject({ name: text, value: text })).nullish(),
    })
    .nullish(),
})
type LeadResponse = z.infer<typeof LeadResponse>

const fields =
  'owner,associatedEntity,leadMetadata,leadType,versionedLeadGenFormUrn,id,submittedAt,testLead,formResponse,form:(id,name,hiddenFields,content)'

/** Predefined questions about the member come first under their own names, then the business's questions. */
function fieldData({ form, formResponse }: LeadResponse): LeadRecord['fieldData'] {
  const questions = new Map(
    (form?.content?.questions ?? []).map((question) => [question.questionId, question]),
  )
  const answers = (formResponse?.answers ?? []).map(({ questionId, answerDetails }) => {
    const question = questions.get(questionId)
    const { textQuestionAnswer, multipleChoiceAnswer } = answerDetails ?? {}
    return {
      isPredefined: question?.predefinedField != null,
      name: question?.predefinedField?.toLowerCase() ?? question?.name ?? `question_${questionId}`,
      values: [textQuestionAnswer?.answer ?? [], multipleChoiceAnswer?.options ?? []].flat(),
    }
  })
  const hidden = (form?.hiddenFields ?? []).flatMap(({ name, value }) =>
    name === null || value === null ? [] : [{ isPredefined: false, name, values: [value] }],
  )
  return [...answers, ...hidden]
    .toSorted((a, b) => Number(b.isPredefined) - Number(a.isPredefined))
    .map(({ name, values }) => ({ name, values }))
}

/** `urn:li:versionedLeadGenForm:(urn:li:leadGenForm:3162,1)` contains form id and version. */
const formIn = (text: string | null): string | null =>
  /urn:li:leadGenForm:(\d+)/.exec(text ?? '')?.[1] ?? null

export function toLead(response: LeadResponse, accountId: string): LeadRecord[] {
  if (response.testLead === true) return []
  const occurredAt = toInstant(response.submittedAt)
  if (occurredAt === null) throw new ProviderError('malformed', 'A lead has no time')
  return [
    {
      type: 'lead',
      // The owner of the lead is an ad account here; on other platforms it is a page.
      pageId: accountId,
      leadgenId: response.id,
      formId: formIn(response.versionedLeadGenFormUrn) ?? response.form?.id ?? null,
      adId: idIn(response.associatedEntity?.associatedCreative, 'sponsoredCreative'),
      adSetId: idIn(response.leadMetadata?.sponsoredLeadMetadata?.campaign, 'sponsoredCampaign'),
      campaignId: null,
      occurredAt,
      fieldData: fieldData(response),
    },
  ]
}

const Responses = z.looseObject({
  elements: z.array(parsedOrSetAside('lead', LeadResponse)),
  paging: z.looseObject({ total: z.number().nullish() }).nullish(),
})

const ownerOf = ({ accountId }: Session): string =>
  recordOf({ sponsoredAccount: textOf(urn('sponsoredAccount', accountId)) })

/** Leads that the consent does not cover are reported with the reason and do not affect the rest of the sync. */
export async function readLeads(session: Session, step: LeadStep, after: string | null): Promise<StepPage> {
  try {
    const setAside = after === null ? await subscribe(session) : []
    const page = await readResponses(session, step, after)
    const cleared = after === null ? [session.accountId] : []
    return { ...page, setAside: [...setAside, ...(page.setAside ?? [])], cleared }
  } catch (error) {
    if (!(error instanceof ProviderError) || !['permission_missing', 'not_found'].includes(error.reason))
      throw error
    return { records: [], setAside: [toSetAside(session, 'account_leads', error)], after: null }
  }
}

const toSetAside = ({ accountId }: Session, kind: string, error: ProviderError): SetAside => ({
  kind,
  externalId: accountId,
  reason: `Leads of this account: ${error.providerMessage ?? error.message}`,
})

async function readResponses(session: Session, step: LeadStep, after: string | null): Promise<StepPage> {
  const { from, until } = windowBounds(step.window)
  const start = after === null ? 0 : z.coerce.number().int().min(0).parse(after)
  const { elements, paging } = await callRest(session, '/leadFormResponses', {
    query: {
      q: 'owner',
      owner: ownerOf(session),
      leadType: recordOf({ leadType: 'SPONSORED' }),
      limitedToTestLeads: 'false',
      submittedAtTimeRange: recordOf({ start: String(from.getTime()), end: String(until.getTime()) }),
      fields,
      start: String(start),
      count: String(PAGE_SIZE),
    },
    schema: Responses,
  })
  const next = start + elements.length
  const isLast = elements.length === 0 || (paging?.total != null && next >= paging.total)
  const read = mapItems('lead', elements, (response) => toLead(response, session.accountId))
  return { ...read, after: isLast ? null : String(next) }
}

const Subscriptions = z.looseObject({
  elements: z.array(z.looseObject({ webhook: text })),
})

/** LinkedIn calls only https addresses; without one, or if it refuses, the sync reads all leads. */
async function subscribe(session: Session): Promise<SetAside[]> {
  const webhook = session.app.extra.webhookUrl ?? ''
  if (!webhook.startsWith('https:')) return []
  try {
    const { elements } = await callRest(session, '/leadNotifications', {
      query: {
        q: 'criteria',
        owner: recordOf({ value: ownerOf(session) }),
        leadType: recordOf({ leadType: 'SPONSORED' }),
      },
      schema: Subscriptions,
    })
    if (!elements.some((subscription) => subscription.webhook === webhook))
      await callRest(session, '/leadNotifications', {
        json: {
          webhook,
          owner: { sponsoredAccount: urn('sponsoredAccount', session.accountId) },
          leadType: 'SPONSORED',
        },
        schema: z.unknown(),
      })
    return []
  } catch (error) {
    if (
      !(error instanceof ProviderError) ||
      error.reason !== 'rejected' ||
      error.providerCode === 'api_version_ended'
    )
      throw error
    return [toSetAside(session, 'lead_notifications', error)]
  }
}

export async function readBack(session: Session, resource: string, id: string): Promise<LeadRecord[]> {
  if (resource !== 'lead') return []
  const response = await callRest(session, `/leadFormResponses/${encodeURIComponent(id)}`, {
    query: { fields },
    schema: LeadResponse,
  })
  return toLead(response, session.accountId)
}
