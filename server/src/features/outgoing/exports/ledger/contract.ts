import { z } from 'zod'
import { AppliedConsent } from '../../../../platform/contract/consent.ts'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { Instant } from '../../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../../platform/contract/page.ts'
import { exportReads, ProviderStatus } from '../destinations/contract.ts'

const tag = 'exports'
const runStatuses = ['queued', 'sent', 'failed', 'skipped'] as const

export const ExportRun = z.object({
  run_id: z.uuid(),
  destination_id: z.uuid(),
  status: z.enum(runStatuses),
  sent: z.int(),
  failed: z.int(),
  skipped: z.int(),
  reason: z.string().nullable(),
  provider_status: ProviderStatus.nullable(),
  requests: z.int(),
  diagnostics: z
    .array(z.object({ reason: z.string(), count: z.int() }))
    .describe('Number of conversions per reason; the platform does not report which ones'),
  started_at: Instant,
  finished_at: Instant.nullable(),
})
export type ExportRun = z.infer<typeof ExportRun>

export const listExportRuns = endpoint({
  name: 'listExportRuns',
  method: 'GET',
  path: '/exports/runs',
  summary: 'Export runs, newest first',
  description: 'Each with its counts and the platform’s later diagnostics.',
  tag,
  access: exportReads,
  query: z.object({
    destination_id: z.uuid().optional(),
    status: z.enum(runStatuses).optional(),
    ...pageQuery,
  }),
  reply: z.array(ExportRun),
  extra: { pagination: Pagination },
})

export const getExportRun = endpoint({
  name: 'getExportRun',
  method: 'GET',
  path: '/exports/runs/{run_id}',
  summary: 'Read one export run',
  description: 'The same fields as in the list.',
  tag,
  access: exportReads,
  params: z.object({ run_id: z.uuid() }),
  reply: ExportRun,
  errors: ['not_found'],
})

export const ExportLedgerRow = z.object({
  id: z.uuid(),
  conversion_id: z.uuid(),
  destination_id: z.uuid(),
  run_id: z.uuid().nullable(),
  event_key: z.string().describe('Id of the conversion at the platform'),
  event_name: z.string().nullable(),
  status: z.enum(runStatuses),
  reason: z
    .string()
    .nullable()
    .describe('Why it was skipped or failed, or why the platform later refused its whole request'),
  message: z.string().nullable().describe('Message of the platform'),
  attempts: z.int(),
  payload_hash: z.string().nullable().describe('Keyed hash of what was sent, for comparison'),
  value: z.number().nullable(),
  currency: z.string().nullable(),
  provider_request_id: z.string().nullable(),
  provider_status: ProviderStatus.nullable(),
  adjustment: z
    .enum(['none', 'restate', 'retract', 'unsupported'])
    .describe(
      'Result of a refund, update or merge after it was sent; `unsupported` if the platform accepts no adjustments',
    ),
  adjustment_no: z.int(),
  consent: AppliedConsent.nullable().describe(
    'The consent that decided when the row was sent or withheld; null before, and if another rule decided',
  ),
  queued_at: Instant,
  sent_at: Instant.nullable(),
})
export type ExportLedgerRow = z.infer<typeof ExportLedgerRow>

export const listExportLedger = endpoint({
  name: 'listExportLedger',
  method: 'GET',
  path: '/exports/ledger',
  summary: 'Status of each conversion at each destination, newest first',
  description: 'One row per conversion, destination and adjustment. It contains no personal data.',
  tag,
  access: exportReads,
  query: z.object({
    destination_id: z.uuid().optional(),
    conversion_id: z.uuid().optional(),
    run_id: z.uuid().optional(),
    status: z.enum(runStatuses).optional(),
    ...pageQuery,
  }),
  reply: z.array(ExportLedgerRow),
  extra: { pagination: Pagination },
})
