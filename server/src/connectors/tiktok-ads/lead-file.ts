/**
 * Parses the file of a form's leads: ids of lead, ad and campaign in the platform's columns, then one column per question.
 * Column names as in files recorded by others (2026-11-17); spelling and case differ between them.
 */
import { parseCsv } from '../../platform/csv.ts'
import { unzipFirst } from '../../platform/zip.ts'
import type { LeadRecord, SetAside, SyncRecord } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { toInstant } from '../window.ts'

/** Files of more than 10 MB are compressed. */
const MAX_UNZIPPED_BYTES = 96 * 1024 * 1024

const columns = new Set(
  'lead_id created_time create_time ad_id ad_name adgroup_id adgroup_name ad_group_id ad_group_name campaign_id campaign_name page_id page_name form_id form_name advertiser_id advertiser_name is_test lead_source library_id'.split(
    ' ',
  ),
)
/** The platform's predefined questions, mapped to the field names shared by all platforms. */
const predefinedFields: Record<string, string> = {
  name: 'full_name',
  full_name: 'full_name',
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
  phone: 'phone_number',
  phone_number: 'phone_number',
}

const columnOf = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
/** Ids may be escaped for spreadsheets: '123 or ="123". */
const idOf = (value: string | undefined): string | null =>
  /^[='"]*(\d{1,25})["']*$/.exec(value?.trim() ?? '')?.[1] ?? null

function instantOf(value: string | undefined): string | null {
  const trimmed = value?.trim() ?? ''
  return toInstant(/^\d{10}$/.test(trimmed) ? Number(trimmed) * 1000 : trimmed)
}

export function toLeads(
  file: Uint8Array,
  formId: string,
  from: string,
): { records: SyncRecord[]; setAside: SetAside[] } {
  const broken = (reason: string) => ({
    records: [],
    setAside: [{ kind: 'lead_file', externalId: formId, reason }],
  })
  const isZip = Buffer.from(file.subarray(0, 2)).toString('latin1') === 'PK'
  const csv = isZip ? unzipFirst(file, MAX_UNZIPPED_BYTES) : file
  if (csv === undefined) return broken('The compressed file of leads is broken or larger than 96 MB')
  const table = parseCsv(Buffer.from(csv).toString('utf8'))
  if (table === undefined) return broken('The file of leads has a quote that is never closed')
  const [header, ...rows] = table
  if (header === undefined) return { records: [], setAside: [] }
  const names = header.map(columnOf)
  if (!names.includes('lead_id')) return broken('The file of leads has no column for the lead')
  const records: SyncRecord[] = []
  const setAside: SetAside[] = []
  for (const row of rows) {
    const cell = (...columnNames: string[]) => row[names.findIndex((name) => columnNames.includes(name))]
    if (row.every((value) => value.trim() === '') || cell('is_test')?.toLowerCase() === 'true') continue
    const leadgenId = idOf(cell('lead_id'))
    const occurredAt = instantOf(cell('created_time', 'create_time'))
    if (leadgenId === null || occurredAt === null) {
      setAside.push({
        kind: 'lead',
        externalId: leadgenId ?? formId,
        reason: 'The lead has no id or no time',
      })
      continue
    }
    if (occurredAt < from) continue
    const lead: LeadRecord = {
      type: 'lead',
      pageId: formId,
      leadgenId,
      formId,
      adId: idOf(cell('ad_id')),
      campaignId: idOf(cell('campaign_id')),
      occurredAt,
      fieldData: header.flatMap((question, index) => answer(question, names[index]!, row[index])),
    }
    records.push(lead)
  }
  return { records, setAside }
}

function answer(question: string, name: string, value: string | undefined): LeadRecord['fieldData'] {
  const trimmed = value?.trim() ?? ''
  if (columns.has(name) || trimmed === '') return []
  const fieldName = lookUp(predefinedFields, name) ?? question.trim()
  // Phone answers carry `p:`, so that a spreadsheet does not take them for numbers.
  return [
    {
      name: fieldName,
      values: [fieldName === 'phone_number' && !trimmed.startsWith('p:') ? `p:${trimmed}` : trimmed],
    },
  ]
}
