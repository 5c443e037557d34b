/**
 * Instant forms and their leads: a task per form and region writes a file, which expires after ten minutes. Columns as in
 * published recordings; read 2026-11-17.
 */

import { readJson } from '../routes.ts'
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits, seededRandom } from '../seeded-random.ts'
import type { Account, Campaign } from './world.ts'

type Json = Record<string, unknown>
type Refusal = { code: number; message: string }
type Lead = {
  id: string
  at: Date
  region: string
  name: string
  email: string
  phone: string
  isTest: boolean
}

const LIFE_MS = 600_000
const header =
  'lead_id,created_time,ad_id,ad_name,adgroup_id,adgroup_name,campaign_id,campaign_name,page_id,page_name,is_test,Name,Email,Phone number,When do you want to start?'
const people = [
  ['', 'Ana Marsh', 'ana.marsh@example.com', '+5491155550101'],
  ['', 'Bo Lind', 'bo.lind@example.net', '+525555550102'],
  ['eu', 'Clara Voss', 'clara.voss@example.org', '+4915755550103'],
  ['us', 'Dan Reed', 'dan.reed@example.com', '+12125550104'],
  ['us', 'Test Lead', 'test@example.com', ''],
] as const

type LeadForms = {
  list(account: Account): Json[]
  task(account: Account, request: SandboxRequest): Json | Refusal
  download(account: Account, request: SandboxRequest): SandboxReply | Refusal
  act(action: string, args: Json): Json | null
  reset(): void
}

export function createLeadForms(options: {
  seed: string
  now: () => Date
  campaignsOf: (account: Account) => readonly Campaign[]
}): LeadForms {
  const { seed, now } = options
  const startedAt = now()
  const added: Lead[] = []
  const tasks = new Map<string, { until: number; region: string }>()
  let pollsLeft = 0

  const leadsOf = (account: Account): Lead[] => [
    ...people.map(([region, name, email, phone], index): Lead => {
      const hours = seededRandom(seed, account.id, 'lead', index).int(5, 90)
      return {
        id: `73${seededDigits(17, seed, account.id, 'lead', index)}`,
        at: new Date(startedAt.getTime() - hours * 3_600_000),
        region,
        name,
        email,
        phone,
        isTest: name === 'Test Lead',
      }
    }),
    ...added,
  ]

  function row(account: Account, lead: Lead): string {
    const campaign = options.campaignsOf(account).find(({ objective }) => objective === 'LEAD_GENERATION')!
    const group = campaign.adGroups[0]!
    const ad = group.ads[0]!
    const cells = [
      lead.id,
      lead.at.toISOString().slice(0, 19).replace('T', ' '),
      ad.id,
      ad.name,
      group.id,
      group.name,
      campaign.id,
      campaign.name,
      account.pageId,
      'Consultation',
      String(lead.isTest),
      lead.name,
      lead.email,
      lead.phone,
      'Soon, I hope:\nin "spring"',
    ]
    return cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
  }

  const regionOf = (request: SandboxRequest) => request.headers['x-lead-region'] ?? ''

  return {
    list: (account) => [{ page_id: account.pageId, title: 'Consultation', status: 'PUBLISHED' }],
    task(account, request) {
      const { page_id: page, task_id: taskId } = readJson(request)
      if (page !== account.pageId) return { code: 40002, message: 'The page does not exist' }
      const region = regionOf(request)
      const id = `76${seededDigits(17, seed, account.id, 'task', region)}`
      if (taskId === undefined) {
        tasks.set(id, { until: now().getTime() + LIFE_MS, region })
        return { task_id: id, status: 'CREATED' }
      }
      if (!tasks.has(String(taskId))) return { code: 40002, message: 'The task does not exist' }
      if (pollsLeft > 0) {
        pollsLeft -= 1
        return { task_id: taskId, status: 'RUNNING' }
      }
      return { task_id: taskId, status: 'SUCCEED', file_name: 'leads.csv', file_type: 'csv' }
    },
    download(account, request) {
      const task = tasks.get(request.query.get('task_id') ?? '')
      if (task === undefined || task.until < now().getTime() || task.region !== regionOf(request))
        return { code: 40000, message: 'failed to download.' }
      const rows = leadsOf(account)
        .filter(({ region }) => region === task.region)
        .map((lead) => row(account, lead))
      const body = `\ufeff${[header, ...rows].join('\r\n')}`
      return { status: 200, headers: { 'content-type': 'text/csv' }, body }
    },
    act(action, args) {
      switch (action) {
        case 'lead': {
          const id = `73${seededDigits(17, seed, 'added lead', added.length)}`
          const email = String(args.email ?? `lead.${added.length}@example.com`)
          added.push({ id, at: now(), region: '', name: 'Eve Holt', email, phone: '', isTest: false })
          return { lead_id: id }
        }
        case 'slow_leads':
          pollsLeft = Number(args.polls)
          return {}
        case 'expire_leads':
          tasks.clear()
          return {}
        default:
          return null
      }
    },
    reset() {
      pollsLeft = 0
    },
  }
}
