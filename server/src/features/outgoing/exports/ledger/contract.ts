import { z } from 'zod'
import { AppliedConsent } from '../../../../platform/contract/consent.ts'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { ConversionId, Instant } from '../../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../../platform/contract/page.ts'
import { exportReads, ProviderStatus } from '../destinations/contract.ts'

const tag = 'exports'
const runStatuses = ['queued', 'sent', 'failed', 'skipped'] as const

export const ExportRun = z.object({
  run_id: z.uuid().describe('Id of the export run'),
  destination_id: z.uuid().describe('Id of the export destination'),
  status: z.enum(runStatuses).describe('How far the run is'),
  sent: z.int().describe('Number of conversions that were sent'),
  failed: z.int().describe('Number of conversions that failed'),
  skipped: z.int().describe('Number of conversions that were skipped'),
  reason: z.string().nullable().describe('Why the run was skipped or failed; null if it was not'),
  provider_status: ProviderStatus.nullable().describe(
    'The platform’s diagnostics of accepted conversions; null if it reports none',
  ),
  requests: z.int().describe('Number of requests'),
  diagnostics: z
    .array(
      z.object({
        reason: z.string().describe('The platform’s reason, for programs'),
        count: z.int().describe('Number of conversions with this diagnosis'),
      }),
    )
    .describe('Number of conversions per reason; the platform does not report which ones'),
  started_at: Instant.describe('When it started'),
  finished_at: Instant.nullable().describe('When it ended; null until then'),
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
    destination_id: z.uuid().optional().describe('Id of the export destination'),
    status: z.enum(runStatuses).optional().describe('Only rows with this status'),
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
  noPage: 'shown_elsewhere',
  access: exportReads,
  params: z.object({ run_id: z.uuid().describe('Id of the export run') }),
  reply: ExportRun,
  errors: ['not_found'],
})

export const ExportLedgerRow = z.object({
  id: z.uuid().describe('Id of the row in the ledger'),
  conversion_id: ConversionId,
  destination_id: z.uuid().describe('Id of the export destination'),
  run_id: z.uuid().nullable().describe('Id of the export run; null until a run takes it'),
  event_key: z.string().describe('Id of the conversion at the platform'),
  event_name: z.string().nullable().describe('Name of the event at the platform; null if nothing was sent'),
  status: z.enum(runStatuses).describe('Whether the conversion was sent'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it was skipped or failed, or why the platform later refused its whole request; null otherwise',
    ),
  message: z.string().nullable().describe('Message of the platform; null if it sent none'),
  attempts: z.int().describe('Attempts so far'),
  payload_hash: z
    .string()
    .nullable()
    .describe('Keyed hash of what was sent, for comparison; null if nothing was sent'),
  value: z.number().nullable().describe('Value that was sent, in `currency`; null if none was'),
  currency: z.string().nullable().describe('ISO 4217 code of the currency; null if there is no amount'),
  provider_request_id: z
    .string()
    .nullable()
    .describe('The provider’s request id, for its support; null if it sent none'),
  provider_status: ProviderStatus.nullable().describe(
    'The platform’s diagnostics of accepted conversions; null if it reports none',
  ),
  adjustment: z
    .enum(['none', 'restate', 'retract', 'unsupported'])
    .describe(
      'Result of a refund, update or merge after it was sent; `unsupported` if the platform accepts no adjustments',
    ),
  adjustment_no: z.int().describe('Number of the correction that was sent; 0 is the conversion itself'),
  consent: AppliedConsent.nullable().describe(
    'The consent that decided when the row was sent or withheld; null before, and if another rule decided',
  ),
  queued_at: Instant.describe('When it was queued'),
  sent_at: Instant.nullable().describe('When it was sent; null until then'),
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
    destination_id: z.uuid().optional().describe('Id of the export destination'),
    conversion_id: ConversionId.optional(),
    run_id: z.uuid().optional().describe('Id of the export run'),
    status: z.enum(runStatuses).optional().describe('Only rows with this status'),
    ...pageQuery,
  }),
  reply: z.array(ExportLedgerRow),
  extra: { pagination: Pagination },
})
