/** Lead forms of an ad account, members' answers, and notifications. */
import { DAY_MS } from '../days.ts'
import { hmacSha256 } from '../hmac.ts'
import type { SandboxOptions, SandboxReply } from '../sandbox.ts'
import { seededRandom, seededUuid } from '../seeded-random.ts'
import { type Accounts, numberIn, urn } from './accounts.ts'
import { refuse } from './refusals.ts'
import { memberOf, type Value } from './restli.ts'

type Json = Record<string, unknown>

const FORM_ID = '7234246'
const EARLIER = 7
const names = ['Ines Duarte', 'Tom Beck', 'Mara Olsen', 'Ravi Shah', 'Lena Voss', 'Hugo Blanc'] as const
const questions = [
  ['107234246', 'First name', 'FIRST_NAME'],
  ['207234246', 'Last name', 'LAST_NAME'],
  ['307234246', 'Email', 'EMAIL'],
  ['407234246', 'Phone', 'PHONE_NUMBER'],
  ['507234246', 'How many rooms do you plan?', null],
] as const

export function createLeads(options: SandboxOptions, world: Accounts) {
  const leadsByAccount = new Map<string, Json[]>()
  const subscriptions: Json[] = []
  /** Number of the next lead; earlier leads have the numbers below. */
  let next = EARLIER

  function lead(accountId: string, index: number, submittedAt: number, isTest: boolean): Json {
    const ad = world.firstAd(accountId)
    const [first, last] = names[index % names.length]!.split(' ')
    const answers = [
      first,
      last,
      `${first}.${last}.${index}@example.com`.toLowerCase(),
      `+1202555${1000 + index}`,
      '3',
    ]
    return {
      id: `${seededUuid(options.seed, accountId, 'lead', index)}-4`,
      owner: { sponsoredAccount: urn('sponsoredAccount', accountId) },
      leadType: 'SPONSORED',
      submitter: 'urn:li:person:MpGcnvaU_p',
      submittedAt,
      testLead: isTest,
      versionedLeadGenFormUrn: `urn:li:versionedLeadGenForm:(urn:li:leadGenForm:${FORM_ID},1)`,
      associatedEntity: { associatedCreative: urn('sponsoredCreative', ad.id) },
      leadMetadata: { sponsoredLeadMetadata: { campaign: urn('sponsoredCampaign', ad.adSetId) } },
      formResponse: {
        consentResponses: [{ accepted: true, consentId: 1 }],
        answers: answers.map((answer, at) => ({
          questionId: Number(questions[at]![0]),
          answerDetails: { textQuestionAnswer: { answer } },
        })),
      },
      form: {
        id: Number(FORM_ID),
        name: 'Ask for a plan',
        hiddenFields: [{ name: 'utm_source', value: 'linkedin' }],
        content: {
          questions: questions.map(([questionId, name, predefinedField]) => ({
            questionId: Number(questionId),
            name,
            question: { localized: { en_US: name } },
            questionDetails: { textQuestionDetails: { maxResponseLength: 300 } },
            responseRequired: true,
            ...(predefinedField === null ? {} : { predefinedField }),
          })),
        },
      },
    }
  }

  /** Leads of the weeks before the sandbox was started; one of them is a test lead. */
  function leadsOf(accountId: string): Json[] {
    const cached = leadsByAccount.get(accountId)
    if (cached !== undefined) return cached
    const random = seededRandom(options.seed, accountId, 'leads')
    const leads = Array.from({ length: EARLIER }, (_, index) =>
      lead(
        accountId,
        index,
        options.now().getTime() - index * DAY_MS - random.int(1, 20) * 3_600_000,
        index === 3,
      ),
    )
    leadsByAccount.set(accountId, leads)
    return leads
  }

  async function notify(lead: Json, leadAction: 'CREATED' | 'DELETED'): Promise<void> {
    const body = JSON.stringify({
      type: 'LEAD_ACTION',
      leadGenFormResponse: urn('leadGenFormResponse', String(lead.id)),
      owner: lead.owner,
      associatedEntity: lead.associatedEntity,
      leadGenForm: lead.versionedLeadGenFormUrn,
      leadType: 'SPONSORED',
      leadAction,
      occurredAt: options.now().getTime(),
    })
    const signature = hmacSha256(options.clientSecret, `hmacsha256=${body}`).toString('hex')
    const headers = { 'content-type': 'application/json', 'x-li-signature': signature }
    await options.sendWebhook({ provider: 'linkedin_ads', headers, body })
  }

  const accountIn = (value: Value | undefined) => numberIn(memberOf(value, 'sponsoredAccount'))

  return {
    list(accountIds: readonly string[], query: Record<string, Value>): SandboxReply {
      const accountId = accountIn(query.owner)
      if (query.q !== 'owner' || memberOf(query.leadType, 'leadType') !== 'SPONSORED')
        return refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid owner or leadType')
      if (!accountIds.includes(accountId)) return refuse(403, 'ACCESS_DENIED', 'Not enough permissions', 100)
      const [from, until] = ['start', 'end'].map((name) => Number(memberOf(query.submittedAtTimeRange, name)))
      const all = leadsOf(accountId)
        .filter(({ submittedAt }) => Number(submittedAt) >= from! && Number(submittedAt) < until!)
        .sort((a, b) => Number(b.submittedAt) - Number(a.submittedAt))
      const [start, count] = [Number(query.start ?? 0), Math.min(Number(query.count ?? 10), 5)]
      const paging = { start, count, links: [], total: all.length }
      return { status: 200, body: { elements: all.slice(start, start + count), paging } }
    },
    read(accountIds: readonly string[], id: string): SandboxReply {
      const lead = accountIds.flatMap(leadsOf).find((candidate) => candidate.id === id)
      return lead === undefined
        ? refuse(404, 'RESOURCE_NOT_FOUND', 'Lead form response not found')
        : { status: 200, body: lead }
    },
    subscriptions(accountIds: readonly string[], query: Record<string, Value>): SandboxReply {
      const accountId = accountIn(memberOf(query.owner, 'value'))
      if (!accountIds.includes(accountId)) return refuse(403, 'ACCESS_DENIED', 'Not enough permissions', 100)
      const accountSubscriptions = subscriptions.filter(
        (subscription) => accountIn(subscription.owner as Value) === accountId,
      )
      return {
        status: 200,
        body: { elements: accountSubscriptions, paging: { start: 0, count: 10, links: [] } },
      }
    },
    subscribe(accountIds: readonly string[], body: Json): SandboxReply {
      if (!String(body.webhook).startsWith('https:'))
        return refuse(400, 'INVALID_WEBHOOK', 'Only HTTPS webhooks are supported')
      if (!accountIds.includes(accountIn(body.owner as Value)) || body.leadType !== 'SPONSORED')
        return refuse(403, 'ACCESS_DENIED', 'Not enough permissions', 100)
      subscriptions.push({ ...body, id: subscriptions.length + 1 })
      return { status: 201, headers: { 'x-restli-id': String(subscriptions.length) }, body: '' }
    },
    look: () => subscriptions.map(({ webhook }) => webhook),
    /** A member submits the form now; LinkedIn sends a notification. */
    async leave(accountId: string, args: Json): Promise<Json> {
      const all = leadsOf(accountId)
      const added = lead(accountId, next++, options.now().getTime(), args.test === true)
      all.push(added)
      await notify(added, 'CREATED')
      return { id: added.id, account_id: accountId }
    },
    /** The member deletes the lead. */
    async withdraw(accountId: string, id: string): Promise<Json> {
      const all = leadsOf(accountId)
      const at = all.findIndex((candidate) => candidate.id === id)
      const [withdrawn] = all.splice(at, 1)
      await notify(withdrawn!, 'DELETED')
      return { id, account_id: accountId }
    },
  }
}
