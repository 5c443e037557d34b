import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  CreatedAt,
  FirstDay,
  Instant,
  LastDay,
  ProfileId,
  ProfileName,
  TimeZone,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'
import { periods } from './period-rules.ts'

const tag = 'client-reports'
const formats = ['pdf', 'html', 'csv'] as const
export type Format = (typeof formats)[number]
const Format = z.enum(formats).describe('File format of the report')
const Language = z.enum(['en', 'es']).describe('Language of the report')
const Model = z.enum(models).describe('Attribution model that splits the credit')
const reportStatuses = ['queued', 'ready', 'awaiting_approval', 'sent', 'failed', 'skipped'] as const
const MAX_RECIPIENTS = 20
const Recipients = z
  .array(z.email().max(254).toLowerCase())
  .max(MAX_RECIPIENTS)
  .transform((addresses) => [...new Set(addresses)])
const ProfileIds = z.array(z.uuid()).min(1).max(100)

export const ClientReport = z.object({
  id: z.uuid().describe('Id of the client report'),
  batch_id: z.uuid().describe('Shared by the reports of one request'),
  profile_id: ProfileId,
  profile_name: ProfileName,
  period: z.enum(periods).describe('Days that the report covers'),
  date_from: FirstDay,
  date_to: LastDay,
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
    .describe(
      'no_mail_server: with the status sent, the mail was only written to the data folder. Null if there is nothing to explain',
    ),
  detail: z.string().nullable().describe('The reason as a sentence; null without a reason'),
  is_scheduled: z.boolean().describe('True if a schedule created it'),
  recipients: z
    .object({
      total: z.int().describe('Number of recipients'),
      sent: z.int().describe('Number of recipients who were mailed'),
      unsubscribed: z.int().describe('Number of unsubscribed addresses'),
      failed: z.int().describe('Number of recipients whose mail failed'),
    })
    .describe('Email addresses that receive the report'),
  download_url: z
    .string()
    .nullable()
    .describe('URL of the file; valid for a short time; null until the report is built'),
  result_hash: z
    .string()
    .nullable()
    .describe(
      'Equals the result_hash of GET /reports/overview over the same days and model while the data is the same; null until the report is built',
    ),
  created_at: CreatedAt,
  sent_at: Instant.nullable().describe('When it was sent; null until then'),
})

export const ReportSchedule = z.object({
  profile_id: ProfileId,
  profile_name: ProfileName,
  enabled: z.boolean().describe('Whether it is enabled'),
  cadence: z
    .enum(['weekly', 'monthly'])
    .describe('weekly: covers the last 7 days; monthly: covers the previous calendar month'),
  weekday: z.int().describe('For weekly schedules; 1 is Monday'),
  day: z.int().describe('For monthly schedules; shorter months use their last day'),
  time: z.string().describe('Time of day in the zone of the profile'),
  timezone: z.string().nullable().describe('Null: the profile’s time zone'),
  recipients: z.array(z.string()).describe('Email addresses that receive the report'),
  format: Format,
  language: Language,
  model: Model,
  approval: z.boolean().describe('True if reports wait for approval by a person before they are sent'),
  next_run_at: Instant.nullable().describe('Time of the next run; null if none is planned'),
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
      period: z.enum(periods).exclude(['custom']).optional().describe('Days that the report covers'),
      date_from: z.iso
        .date()
        .optional()
        .describe('First day of the range, YYYY-MM-DD, in the time zone of the profile'),
      date_to: z.iso.date().optional().describe('Last day of the range, inclusive, YYYY-MM-DD'),
      model: Model.default('last_touch'),
      format: Format.default('pdf'),
      language: Language.default('en'),
      send: z.boolean().default(false).describe('True to send it to the recipients immediately'),
      recipients: Recipients.default([]).describe('Email addresses that receive the report'),
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
    batch_id: z.uuid().describe('Id of the batch that creates the reports'),
    reports: z
      .array(
        z.object({
          profile_id: ProfileId,
          report_id: z.uuid().describe('Id of the report'),
          status: z.literal('queued').describe('Whether the report was queued'),
        }),
      )
      .describe('The reports that were queued'),
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
    reports: z.array(ClientReport).describe('The newest reports'),
    schedules: z.array(ReportSchedule).describe('Report schedules of the profiles'),
    batches: z
      .array(
        z.object({
          id: z.uuid().describe('Id of the request'),
          created_at: CreatedAt,
          total: z.int().describe('Number of reports of the request'),
          done: z.int().describe('Number of reports that are finished'),
          failed: z.int().describe('Number of reports that failed'),
          skipped: z.int().describe('Number of reports that were skipped'),
        }),
      )
      .describe('Requests that generated reports, newest first'),
  }),
})

const ReportParams = WorkspaceParams.extend({ reportId: z.uuid().describe('Id of the report') })

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
    profile_ids: z.union([ProfileIds, z.literal('all')]).describe('Ids of profiles'),
    patch: z
      .strictObject({
        enabled: z.boolean().optional().describe('Whether it is enabled'),
        cadence: z.enum(['weekly', 'monthly']).optional().describe('How often a report is made'),
        weekday: z.int().min(1).max(7).optional().describe('Day of the week, 1 is Monday'),
        day: z.int().min(1).max(31).optional().describe('Day of the month, for monthly schedules'),
        time: z
          .string()
          .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:00')
          .optional()
          .describe('Time of day in the zone of the profile'),
        timezone: TimeZone.nullable().optional().describe('IANA time zone; null: the profile’s'),
        recipients: Recipients.optional().describe('Email addresses that receive the report'),
        format: Format.optional(),
        language: Language.optional(),
        model: Model.optional(),
        approval: z
          .boolean()
          .optional()
          .describe('True if reports wait for approval by a person before they are sent'),
      })
      .describe('Changes to apply'),
  }),
  reply: z.array(
    z.object({
      profile_id: ProfileId,
      status: z.enum(['created', 'updated', 'refused']).describe('Whether the schedule was changed'),
      reason: z
        .enum(['recipients_required'])
        .nullable()
        .describe('Why the schedule was not changed; null if it was'),
      schedule: ReportSchedule.nullable().describe('Schedule; null if there is none'),
    }),
  ),
  errors: ['app_provisioned_workspace', 'plan_upgrade_required', 'not_found'],
  example: { body: { profile_ids: 'all', patch: { enabled: false } } },
})
