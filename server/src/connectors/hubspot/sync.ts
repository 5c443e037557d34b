/** Syncs an account: contacts and deals by last change, archived objects, form submissions. */
import { z } from 'zod'
import {
  ProviderError,
  type Session,
  type SetAside,
  type SyncPage,
  type SyncRecord,
  type SyncWindow,
} from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { id, text } from '../reply-fields.ts'
import {
  MISSING_ABILITY,
  mapItems,
  missingAbility,
  type ParsedItem,
  parsedOrSetAside,
  readableItems,
} from '../set-aside.ts'
import { windowBounds } from '../window.ts'
import { type Call, caller, readAccount } from './calls.ts'
import {
  type Contact,
  type Deal,
  retract,
  Submission,
  toContactRecords,
  toDealRecords,
  toSubmissionRecords,
} from './mapping.ts'
import {
  contactsOfDeals,
  dealsAfterMerge,
  kinds,
  type ObjectType,
  objectsPath,
  readCurrent,
} from './objects.ts'

const pageSize = 100
/** The maximum of the submissions list. */
const submissionsPerPage = 50

const Base = { currency: z.string().nullable(), done: z.number().int() }
const Type = z.enum(['contacts', 'deals'])
const Cursor = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('changed'), type: Type, afterId: z.string(), ...Base }),
  z.object({ phase: z.literal('archived'), type: Type, after: z.string().nullable(), ...Base }),
  z.object({ phase: z.literal('forms'), forms: z.array(z.string()), after: z.string().nullable(), ...Base }),
])
type Cursor = z.infer<typeof Cursor>
type CursorOf<P extends Cursor['phase']> = Extract<Cursor, { phase: P }>
type Step = Required<Pick<SyncPage, 'records' | 'setAside'>> &
  Pick<SyncPage, 'clearedKinds' | 'cleared'> & { count: number; next: Cursor | null }
type Run = { call: Call; session: Session; window: SyncWindow }

const Paging = z.looseObject({ next: z.looseObject({ after: text }).nullish() }).nullish()
const listOf = <T>(kind: string, schema: z.ZodType<T>) =>
  z.looseObject({ results: z.array(parsedOrSetAside(kind, schema)), paging: Paging })

const toRecords = (type: ObjectType, item: Contact | Deal, owner: Contact | null, currency: string | null) =>
  type === 'contacts' ? toContactRecords(item) : toDealRecords(item, owner, currency)

/**
 * Sorted by id and continued from the last id, never by the search's `after`: that is limited to 10,000 results, and a bulk
 * change gives more objects than that the same time. An object that changes during the sync keeps its position or is read by
 * the next sync. The search index lags behind, which is covered by the days that each sync reads again.
 */
async function changedStep({ call, window }: Run, cursor: CursorOf<'changed'>): Promise<Step> {
  const { type, currency } = cursor
  const { kind, schema, properties, changedAt } = kinds[type]
  const { from, until } = windowBounds(window)
  const page = await call(`${objectsPath(type)}/search`, {
    schema: listOf<Contact | Deal>(kind, schema),
    json: {
      filterGroups: [
        {
          filters: [
            {
              propertyName: changedAt,
              operator: 'BETWEEN',
              value: String(from.getTime()),
              highValue: String(until.getTime()),
            },
            { propertyName: 'hs_object_id', operator: 'GT', value: cursor.afterId },
          ],
        },
      ],
      sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
      properties,
      limit: pageSize,
    },
  })
  const items = readableItems(page.results)
  const owners =
    type === 'deals'
      ? await contactsOfDeals(
          call,
          items.map((item) => item.id),
        )
      : new Map<string, Contact>()
  const read = mapItems(kind, page.results, (item) =>
    toRecords(type, item, owners.get(item.id) ?? null, currency),
  )
  if (type === 'contacts') read.records.push(...(await dealsAfterMerge(call, items, currency)))
  const done = cursor.done + page.results.length
  const next: Cursor =
    page.results.length >= pageSize
      ? { ...cursor, afterId: lastId(page.results), done }
      : { phase: 'archived', type, after: null, currency, done }
  return { ...read, count: page.results.length, next }
}

function lastId(page: readonly ParsedItem<Contact | Deal>[]): string {
  const last = page.at(-1)!
  const objectId = last.item?.id ?? last.setAside!.externalId
  if (!/^\d+$/.test(objectId)) throw new ProviderError('malformed', 'A page of HubSpot ends without an id')
  return objectId
}

/** Archiving does not change an object's times, and the search omits archived ones; the list has them for 90 days. */
async function archivedStep({ call, session, window }: Run, cursor: CursorOf<'archived'>): Promise<Step> {
  const { type, currency } = cursor
  const { kind, schema, properties } = kinds[type]
  const { from, until } = windowBounds(window)
  const page = await call(objectsPath(type), {
    schema: listOf<Contact | Deal>(kind, schema),
    query: {
      archived: 'true',
      limit: pageSize,
      properties: properties.join(','),
      after: cursor.after ?? undefined,
    },
  })
  const isInside = (item: Contact | Deal) => {
    const at = Date.parse(item.archivedAt ?? '')
    return Number.isNaN(at) || (at >= from.getTime() && at <= until.getTime())
  }
  const read = mapItems(kind, page.results, (item) =>
    isInside(item) ? retract(toRecords(type, item, null, currency)) : [],
  )
  const done = cursor.done + page.results.length
  const after = page.paging?.next?.after ?? null
  const step = { ...read, count: page.results.length }
  if (after !== null) return { ...step, next: { ...cursor, after, done } }
  if (type === 'contacts')
    return { ...step, next: { phase: 'changed', type: 'deals', afterId: '0', currency, done } }
  const { forms, missing } = await listForms(call, session)
  return {
    ...step,
    setAside: [...read.setAside, ...missing],
    clearedKinds: [MISSING_ABILITY],
    next: forms.length === 0 ? null : { phase: 'forms', forms, after: null, currency, done },
  }
}

const FormList = listOf('form', z.looseObject({ id }))

/** Far more pages than an account has. */
const maxFormPages = 500

/** Every sync asks again, so an entry ends when the reason does. */
async function listForms(call: Call, session: Session): Promise<{ forms: string[]; missing: SetAside[] }> {
  const without = (reason: string) => ({ forms: [], missing: [missingAbility('form_submissions', reason)] })
  if (!session.token.scopes.includes('forms'))
    return without('The permission for forms was not granted; connect again to grant it.')
  try {
    return { forms: await readForms(call), missing: [] }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return without(`HubSpot has no forms for this account: ${error.providerMessage ?? error.message}`)
  }
}

/** Forms are optional: a path, plan or permission that is missing does not affect contacts and deals. */
const isUnavailable = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && ['not_found', 'permission_missing'].includes(error.reason)

async function readForms(call: Call): Promise<string[]> {
  const forms: string[] = []
  const seen = new Set<string | null>()
  let after: string | null = null
  do {
    if (seen.has(after) || seen.size >= maxFormPages)
      throw new ProviderError('malformed', 'HubSpot’s list of forms does not end')
    seen.add(after)
    const page: z.infer<typeof FormList> = await call('/marketing/v3/forms', {
      query: { limit: pageSize, after: after ?? undefined },
      schema: FormList,
    })
    forms.push(...readableItems(page.results).map((form) => form.id))
    after = page.paging?.next?.after ?? null
  } while (after !== null)
  return forms
}

/** Newest first, so a page that starts before the window is the last of its form. No newer path than v1 was found. */
async function formsStep({ call, window }: Run, cursor: CursorOf<'forms'>): Promise<Step> {
  const { from, until } = windowBounds(window)
  const [form = '', ...otherForms] = cursor.forms
  const page = await readSubmissions(call, form, cursor.after)
  if (page instanceof ProviderError)
    return {
      records: [],
      setAside: [{ kind: 'form', externalId: form, reason: page.providerMessage ?? page.message }],
      count: 0,
      next: otherForms.length === 0 ? null : { ...cursor, forms: otherForms, after: null },
    }
  const read = mapItems('form submission', page.results, (submission): SyncRecord[] =>
    submission.submittedAt >= from.getTime() && submission.submittedAt <= until.getTime()
      ? toSubmissionRecords(submission)
      : [],
  )
  const isPast = readableItems(page.results).some(({ submittedAt }) => submittedAt < from.getTime())
  const after = isPast ? null : (page.paging?.next?.after ?? null)
  const done = cursor.done + page.results.length
  const nextForm: Cursor | null =
    otherForms.length === 0 ? null : { ...cursor, forms: otherForms, after: null, done }
  return {
    ...read,
    cleared: [form],
    count: page.results.length,
    next: after === null ? nextForm : { ...cursor, after, done },
  }
}

/** A form may be deleted after it was listed, or belong to a part of the account that the person cannot see. */
async function readSubmissions(call: Call, form: string, after: string | null) {
  try {
    return await call(`/form-integrations/v1/submissions/forms/${encodeURIComponent(form)}`, {
      schema: listOf('form submission', Submission),
      query: { limit: submissionsPerPage, after: after ?? undefined },
    })
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return error
  }
}

export async function syncPage(
  session: Session,
  window: SyncWindow,
  cursorText: string | null,
): Promise<SyncPage> {
  const call = caller(session)
  const cursor: Cursor =
    cursorText === null
      ? {
          phase: 'changed',
          type: 'contacts',
          afterId: '0',
          currency: await accountCurrency(call, session),
          done: 0,
        }
      : Cursor.parse(JSON.parse(cursorText))
  const run = { call, session, window }
  const step =
    cursor.phase === 'changed'
      ? await changedStep(run, cursor)
      : cursor.phase === 'archived'
        ? await archivedStep(run, cursor)
        : await formsStep(run, cursor)
  return {
    records: step.records,
    setAside: step.setAside,
    ...(step.cleared && { cleared: step.cleared }),
    ...(step.clearedKinds && { clearedKinds: step.clearedKinds }),
    cursor: step.next === null ? null : JSON.stringify(step.next),
    progress: { done: cursor.done + step.count, total: null, unit: 'records' },
  }
}

/** The currency of deals without one: accounts with a single currency omit it. */
async function accountCurrency(call: Call, session: Session): Promise<string | null> {
  return session.currency ?? (await readAccount(call, session.accountId)).currency
}

const resources: Record<string, ObjectType> = { contact: 'contacts', deal: 'deals' }

export async function readBack(session: Session, resource: string, objectId: string): Promise<SyncRecord[]> {
  const type = lookUp(resources, resource)
  if (type === undefined) throw new ProviderError('rejected', `No ${resource} can be read back`)
  const call = caller(session)
  return readCurrent(call, type, objectId, await accountCurrency(call, session))
}
