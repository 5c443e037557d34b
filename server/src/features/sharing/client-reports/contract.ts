import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, TimeZone, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { periods } from './period-rules.ts'

const tag = 'client-reports'
const formats = ['pdf', 'html', 'csv'] as const
export type Format = (typeof formats)[number]
const Format = z.enum(formats)
const Language = z.enum(['en', 'es'])
const Model = z.enum(models)
const reportStatuses = ['queued', 'ready', 'awaiting_approval', 'sent', 'failed', 'skipped'] as const
const MAX_RECIPIENTS = 20
const Recipients = z
  .array(z.email().max(254).toLowerCase())
  .max(MAX_RECIPIENTS)
  .transform((addresses) => [...new Set(addresses)])
const ProfileIds = z.array(z.uuid()).min(1).max(100)

export const ClientReport = z.object({
  id: z.uuid(),
  batch_id: z.uuid().describe('Shared by the reports of one request'),
  profile_id: z.uuid(),
  profile_name: z.string(),
  period: z.enum(periods),
  date_from: z.string(),
  date_to: z.string(),
  model: Model,
  format: Format,
  language: Language,
  status: z
    .enum(reportStatuses)
    .describe(
      'queued: being built, or held while data is missing; ready: built, and being mailed if it has recipients; awaiting_approval: mailed once a member approves it; skipped: not built or not mailed, see reason',
    ),
  reason: z
    .enum([
      'data_stale',
      'no_data',
      'build_failed',
      'mail_failed',
      'some_mails_failed',
      'all_unsubscribed',
      'not_allowed',
      'no_mail_server',
    ])
    .nullable()
    .describe('no_mail_server: with the status sent, the mail was only written to the data folder'),
  detail: z.string().nullable().describe('The reason as a sentence'),
  is_scheduled: z.boolean(),
  recipients: z.object({ total: z.int(), sent: z.int(), unsubscribed: z.int(), failed: z.int() }),
  download_url: z.string().nullable(),
  result_hash: z
    .string()
    .nullable()
    .describe(
      'Equals the result_hash of GET /reports/overview over the same days and model while the data is the same',
    ),
  created_at: Instant,
  sent_at: Instant.nullable(),
})

export const ReportSchedule = z.object({
  profile_id: z.uuid(),
  profile_name: z.string(),
  enabled: z.boolean(),
  cadence: z
    .enum(['weekly', 'monthly'])
    .describe('weekly: covers the last 7 days; monthly: covers the previous calendar month'),
  weekday: z.int().describe('For weekly schedules; 1 is Monday'),
  day: z.int().describe('For monthly schedules; shorter months use their last day'),
  time: z.string(),
  timezone: z.string().nullable().describe('Null: the profile’s time zone'),
  recipients: z.array(z.string()),
  format: Format,
  language: Language,
  model: Model,
  approval: z.boolean(),
  next_run_at: Instant.nullable(),
})

export const generateReports = endpoint({
  name: 'generateReports',
  method: 'POST',
  path: '/workspaces/{workspaceId}/reports/bulk-generate',
  summary: 'Generate reports for some or all profiles, and optionally mail them',
  description:
    'Queues one report per profile; `GET /workspaces/{workspaceId}/reports/hub` shows the progress. Send `period`, or `date_from` and `date_to`. With `send`, each report is mailed to the recipients once its data is complete: it is held while data is missing and skipped after 24 hours. A report without any figures is skipped. A workspace mails at most 1,000 reports in 24 hours (409 `invalid_state`). Reports are deleted after 400 days.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z
    .strictObject({
      profile_ids: ProfileIds.optional().describe('Default: every profile that you can open'),
      period: z.enum(periods).exclude(['custom']).optional(),
      date_from: z.iso.date().optional(),
      date_to: z.iso.date().optional(),
      model: Model.default('last_touch'),
      format: Format.default('pdf'),
      language: Language.default('en'),
      send: z.boolean().default(false),
      recipients: Recipients.default([]),
    })
    .refine(
      (body) => (body.period === undefined) !== (body.date_from === undefined && body.date_to === undefined),
      {
        message: 'send either period, or date_from and date_to',
        path: ['period'],
      },
    )
    .refine((body) => !body.send || body.recipients.length > 0, {
      message: 'required with send',
      path: ['recipients'],
    }),
  reply: z.object({
    batch_id: z.uuid(),
    reports: z.array(z.object({ profile_id: z.uuid(), report_id: z.uuid(), status: z.literal('queued') })),
  }),
  statuses: [202],
  errors: ['invalid_date_range', 'app_provisioned_workspace', 'invalid_state', 'not_found'],
  example: { body: { period: 'last_month', format: 'pdf' } },
})

export const getReportsHub = endpoint({
  name: 'getReportsHub',
  method: 'GET',
  path: '/workspaces/{workspaceId}/reports/hub',
  summary: 'List reports, schedules and batches of a workspace',
  description:
    'Covers the profiles that you can open: the newest 200 reports, all schedules, and the progress of the batches of these reports.',
  tag,
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.object({
    reports: z.array(ClientReport),
    schedules: z.array(ReportSchedule),
    batches: z.array(
      z.object({
        id: z.uuid(),
        created_at: Instant,
        total: z.int(),
        done: z.int(),
        failed: z.int(),
        skipped: z.int(),
      }),
    ),
  }),
})

const ReportParams = WorkspaceParams.extend({ reportId: z.uuid() })

export const downloadReport = endpoint({
  name: 'downloadReport',
  method: 'GET',
  path: '/workspaces/{workspaceId}/reports/{reportId}/download',
  summary: 'Download the file of a report',
  description: 'A PDF, HTML or CSV file, by the format of the report. Returns 409 until it is built.',
  tag,
  access: { kind: 'workspace', role: 'viewer' },
  params: ReportParams,
  reply: z.null(),
  file: 'application/octet-stream',
  errors: ['not_found', 'invalid_state'],
})

export const approveReport = endpoint({
  name: 'approveReport',
  method: 'POST',
  path: '/workspaces/{workspaceId}/reports/{reportId}/approve',
  summary: 'Approve a report and mail it',
  description: 'Only for reports in the status `awaiting_approval`. The file is mailed as built.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: ReportParams,
  body: z.strictObject({}).default({}),
  reply: ClientReport,
  errors: ['not_found', 'invalid_state', 'app_provisioned_workspace'],
})

export const patchSchedules = endpoint({
  name: 'patchSchedules',
  method: 'POST',
  path: '/workspaces/{workspaceId}/reports/schedules/bulk',
  summary: 'Change the report schedules of some or all profiles',
  description:
    'Fields missing from `patch` are not changed. A profile without a schedule gets one with the defaults: weekly, Monday at 08:00 in the profile’s time zone, PDF, no approval. Returns one result per profile: a schedule that could not run, such as one without recipients, is refused and not changed.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    profile_ids: z.union([ProfileIds, z.literal('all')]),
    patch: z.strictObject({
      enabled: z.boolean().optional(),
      cadence: z.enum(['weekly', 'monthly']).optional(),
      weekday: z.int().min(1).max(7).optional(),
      day: z.int().min(1).max(31).optional(),
      time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:00')
        .optional(),
      timezone: TimeZone.nullable().optional(),
      recipients: Recipients.optional(),
      format: Format.optional(),
      language: Language.optional(),
      model: Model.optional(),
      approval: z.boolean().optional(),
    }),
  }),
  reply: z.array(
    z.object({
      profile_id: z.uuid(),
      status: z.enum(['created', 'updated', 'refused']),
      reason: z.enum(['recipients_required']).nullable(),
      schedule: ReportSchedule.nullable(),
    }),
  ),
  errors: ['app_provisioned_workspace', 'plan_upgrade_required', 'not_found'],
  example: { body: { profile_ids: 'all', patch: { enabled: false } } },
})
