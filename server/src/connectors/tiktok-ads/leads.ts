/**
 * Leads of instant forms. The platform generates a file of all leads of a form on request (`/page/lead/task/`), which
 * expires ten minutes later. Leads are stored by region: without `x-lead-region` those of Europe and the United States are
 * missing. The cursor contains the remaining forms, the region and the task.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { OutboundError } from '../../platform/outbound/outbound.ts'
import type { StepPage } from '../ad-account-steps.ts'
import { ProviderError, type Session, type SetAside, type SyncWindow } from '../connector.ts'
import { parseJson } from '../json.ts'
import { refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { id, text } from '../reply-fields.ts'
import { readableItems } from '../set-aside.ts'
import { windowBounds } from '../window.ts'
import { apiUrl, callTiktok, orElse, readPage, refusalOf } from './calls.ts'
import { toLeads } from './lead-file.ts'

export type LeadStep = { kind: 'leads'; from: string }

export const leadSteps = (window: SyncWindow): LeadStep[] => [
  { kind: 'leads', from: windowBounds(window).from.toISOString() },
]

const regions = [null, 'eu', 'us'] as const
type Region = (typeof regions)[number]

const Position = z.object({
  forms: z.array(z.string()).min(1),
  region: z.number().int().min(0),
  task: z.string().nullable(),
  failures: z.number().int().min(0),
})
type Position = z.infer<typeof Position>

const Form = z.looseObject({ page_id: id })
const Task = z.looseObject({ task_id: id, status: text })

const MAX_FORM_PAGES = 50
const MAX_FAILURES = 2
/** A small file is ready within these polls; for a large one the sync is rescheduled. */
const pollDelaysMs = [500, 1000, 2000, 4000]
const RESCHEDULE_SECONDS = 30
const MAX_FILE_BYTES = 64 * 1024 * 1024

export async function readLeads(
  session: Session,
  step: LeadStep,
  after: string | null,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<StepPage> {
  const position = after === null ? await firstPosition(session) : Position.parse(JSON.parse(after))
  if (position === null) return { records: [], after: null }
  const [form] = position.forms
  const region = regions[position.region] ?? null
  try {
    if (position.task === null) {
      const { task_id: task } = await callTask(session, region, { page_id: form })
      return { records: [], after: JSON.stringify({ ...position, task }) }
    }
    await waitForTask(session, region, { page_id: form, task_id: position.task }, wait)
    const file = await download(session, region, position.task)
    // The first region clears the form's notice; refusals in the other regions lose nothing.
    const cleared = position.region === 0 ? [form!] : []
    return { ...toLeads(file, form!, step.from), cleared, after: nextPosition(position) }
  } catch (error) {
    return handleRefusal(position, error)
  }
}

async function firstPosition(session: Session): Promise<Position | null> {
  const forms: string[] = []
  let next: number | null = 1
  const request = {
    kind: 'lead_form',
    path: '/page/get/',
    item: Form,
    query: { business_type: 'LEAD_GEN' },
    pageSize: 100,
  }
  while (next !== null && next <= MAX_FORM_PAGES) {
    const pageNumber: number = next
    const page = await orElse(
      () => readPage(session, request, pageNumber),
      () => ({ items: [], next: null }),
    )
    forms.push(...readableItems(page.items).map(({ page_id: form }) => form))
    next = page.next
  }
  return forms.length === 0 ? null : { forms: [...new Set(forms)], region: 0, task: null, failures: 0 }
}

function nextPosition({ forms, region }: Position): string | null {
  const isLastRegion = region + 1 >= regions.length
  const remainingForms = isLastRegion ? forms.slice(1) : forms
  if (remainingForms.length === 0) return null
  return JSON.stringify({
    forms: remainingForms,
    region: isLastRegion ? 0 : region + 1,
    task: null,
    failures: 0,
  })
}

const isRefused = (error: unknown): error is ProviderError =>
  error instanceof ProviderError &&
  ['permission_missing', 'not_found', 'rejected', 'malformed'].includes(error.reason)

/**
 * An expired file is requested again. An account without leads in a region may be refused there, which loses nothing;
 * a form that cannot be read at all is reported with the reason.
 */
function handleRefusal(position: Position, error: unknown): StepPage {
  if (!isRefused(error)) throw error
  if (position.task !== null && position.failures < MAX_FAILURES)
    return {
      records: [],
      after: JSON.stringify({ ...position, task: null, failures: position.failures + 1 }),
    }
  const unreadable: SetAside = {
    kind: 'lead_form',
    externalId: position.forms[0]!,
    reason: `Leads of this form cannot be read: ${error.providerMessage ?? error.message}`,
  }
  const isWhole = position.region === 0 || position.task !== null
  return { records: [], setAside: isWhole ? [unreadable] : [], after: nextPosition(position) }
}

const regionHeader = (region: Region): Record<string, string> =>
  region === null ? {} : { 'x-lead-region': region }

const callTask = (session: Session, region: Region, json: Record<string, unknown>) =>
  callTiktok(session, '/page/lead/task/', {
    json: { advertiser_id: session.accountId, ...json },
    headers: regionHeader(region),
    schema: Task,
  })

async function waitForTask(
  session: Session,
  region: Region,
  task: Record<string, unknown>,
  wait: (ms: number) => Promise<unknown>,
): Promise<void> {
  for (const delayMs of [...pollDelaysMs, null]) {
    const { status } = await callTask(session, region, task)
    if (status === 'SUCCEED') return
    if (status === 'FAILED') throw new ProviderError('rejected', 'The platform could not generate the file')
    if (delayMs !== null) await wait(delayMs)
  }
  throw new ProviderError('rate_limited', 'The platform is still generating the file', {
    retryAfterSeconds: RESCHEDULE_SECONDS,
  })
}

/** The response is the file, or a JSON error. */
async function download(session: Session, region: Region, task: string): Promise<Uint8Array> {
  const url = new URL(apiUrl(session.app, '/page/lead/task/download/'))
  url.searchParams.set('advertiser_id', session.accountId)
  url.searchParams.set('task_id', task)
  try {
    const reply = await session.http.send({
      method: 'GET',
      url: url.href,
      headers: { 'access-token': session.token.accessToken, ...regionHeader(region) },
      maxBytes: MAX_FILE_BYTES,
    })
    if (reply.status !== 200)
      throw refusalByStatus(reply.status, null, retryAfterSeconds(reply.headers, Date.now()))
    const refusal = refusalOf(jsonOf(reply.bytes))
    if (refusal !== null) throw refusal
    return reply.bytes
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'too_large')
      throw new ProviderError('malformed', 'The lead file is too large', { cause: error })
    throw new ProviderError('unavailable', `The provider did not respond (${error.kind})`, { cause: error })
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes[0] !== '{'.charCodeAt(0)) return null
  try {
    return parseJson(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
}
