import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

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
  'event_name',
  'goal',
  'page',
  'platform',
  'sender',
  'site',
] as const
export type ExampleKind = (typeof exampleKinds)[number]

/** Pages of the console from which the finding is fixed. */
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
  id: z.string(),
  question: z.string(),
  status: CheckStatus,
  count: z.int().describe('How many clicks, sales, events, customers or connections are affected'),
  value: z.number().nullable().describe('Revenue or spend affected; null where no amount can be given'),
  since: z.string().nullable().describe('First day of the last 28 on which it was seen'),
  opened_at: Instant.nullable().describe('When the finding was opened; null while there is none'),
  examples: z.array(
    z.object({
      kind: z.enum(exampleKinds),
      id: z.string(),
      count: z.int().nullable(),
      detail: z.string().nullable(),
    }),
  ),
  advice: z.object({ text: z.string(), page: z.enum(fixPages) }).describe('The one thing to do, and where'),
})

export const getDoctor = endpoint({
  name: 'getDoctor',
  mcp: {
    description: 'Faults in the data of 28 days, money affected, what to do.',
    concise: 'status checks',
  },
  method: 'GET',
  path: '/quality/doctor',
  summary: 'What is wrong with the data, and what to do',
  description:
    'Results of the daily checks over the last 28 days; `POST /quality/doctor/check` runs them again. `problem` and `warning` are findings, which `doctor.finding.opened` and `doctor.finding.resolved` announce; `not_applicable` means that the profile has no data for the check. Findings come first. Examples name conversions, ads, sites and pages, never a value of a person; customers are listed for callers who may read people.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  reply: z.object({
    status: CheckStatus.nullable().describe('The worst of the checks; null before the first run'),
    checked_at: Instant.nullable(),
    currency: z.string(),
    checks: z.array(DoctorCheck),
  }),
})

export const runDoctor = endpoint({
  name: 'runDoctor',
  method: 'POST',
  path: '/quality/doctor/check',
  summary: 'Run the data-health checks now',
  description: 'In the background; `checked_at` of GET /quality/doctor moves when they are done.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  reply: z.object({ queued: z.literal(true) }),
  statuses: [202],
})
