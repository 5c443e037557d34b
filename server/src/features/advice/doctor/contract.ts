import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CurrencyCode, Instant } from '../../../platform/contract/fields.ts'

const tag = 'insights'

const CheckStatus = z.enum(['ok', 'warning', 'problem', 'not_applicable'])
export type CheckStatus = z.infer<typeof CheckStatus>

export const exampleKinds = [
  'ad',
  'campaign',
  'connection',
  'conversion',
  'currency',
  'customer',
  'data_request',
  'event_name',
  'goal',
  'page',
  'platform',
  'process',
  'sender',
  'site',
] as const
export type ExampleKind = (typeof exampleKinds)[number]

/** Pages of the console on which findings are fixed. */
export const fixPages = [
  'campaigns',
  'connections',
  'goals',
  'identity',
  'payments',
  'settings',
  'tracking',
  'unattributed',
] as const
export type FixPage = (typeof fixPages)[number]

const DoctorCheck = z.object({
  id: z.string().describe('Id of the check, such as `event_drop`'),
  question: z.string().describe('Question that the check answers'),
  status: CheckStatus.describe('Result of the check'),
  count: z.int().describe('Number of affected clicks, sales, events, customers or connections'),
  value: z.number().nullable().describe('Affected revenue or spend; null if no amount is known'),
  since: z
    .string()
    .nullable()
    .describe('First day within the last 28 days on which it was detected; null without a finding'),
  opened_at: Instant.nullable().describe('When the finding was opened; null without a finding'),
  examples: z
    .array(
      z.object({
        kind: z.enum(exampleKinds).describe('What the example is'),
        id: z.string().describe('Id or name of the example'),
        count: z.int().nullable().describe('How often it occurred; null if it is not counted'),
        detail: z.string().nullable().describe('What was seen; null if there is nothing to add'),
      }),
    )
    .describe('A few examples'),
  advice: z
    .object({
      text: z.string().describe('Recommended action, as a sentence'),
      page: z.enum(fixPages).describe('Page of the console'),
    })
    .describe('Recommended action, and the console page for it'),
})

export const getDoctor = endpoint({
  name: 'getDoctor',
  mcp: {
    description: 'Problems in the data of the last 28 days, with affected money and recommended action.',
    concise: 'status checks',
  },
  method: 'GET',
  path: '/quality/doctor',
  summary: 'Data problems and how to fix them',
  description:
    'Results of the daily checks over the last 28 days; `POST /quality/doctor/check` runs them again. `problem` and `warning` are findings, sent as `doctor.finding.opened` and `doctor.finding.resolved` events; `not_applicable` means that the profile has no or too little data for the check. Without a finding, the examples of `event_drop` and `page_drop` are those whose stop would go unnoticed for more than two weeks, because their events are few or irregular. Findings are listed first. Examples are conversions, ads, sites and pages, without personal data; customers are listed only for callers with access to people.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  reply: z.object({
    status: CheckStatus.nullable().describe('The worst status of the checks; null before the first run'),
    checked_at: Instant.nullable().describe('When the checks last ran; null before the first run'),
    currency: CurrencyCode,
    checks: z.array(DoctorCheck).describe('Result of each check, findings first'),
  }),
})

export const runDoctor = endpoint({
  name: 'runDoctor',
  method: 'POST',
  path: '/quality/doctor/check',
  summary: 'Run the data-health checks now',
  description: 'Runs in the background; `checked_at` of GET /quality/doctor is updated when it is done.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  reply: z.object({ queued: z.literal(true).describe('True if the checks run as a job') }),
  statuses: [202],
})
