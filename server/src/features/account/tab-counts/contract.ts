import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const tabs = [
  'top_performers',
  'recommendations',
  'experiments',
  'reports',
  'patterns',
  'proposals',
  'connections',
] as const
export type Tab = (typeof tabs)[number]

const byTab = <S extends z.ZodType>(schema: S) => z.record(z.enum(tabs), schema)

export const getTabCounts = endpoint({
  name: 'getTabCounts',
  method: 'GET',
  path: '/workspaces/{workspaceId}/tab-counts',
  summary: 'New items per tab of the console',
  description:
    'What is new to you in the profiles that you can open: ads scored for the first time, open recommendations, experiments that started or ended, finished reports, profiles whose creative patterns were computed again, open merge proposals, and connections that were added or stopped working. Counted from your last look at each tab, at most 30 days back.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: z.object({
    since: byTab(Instant).describe('Your last look at each tab; 30 days ago where it is longer ago'),
    tabs: byTab(z.int()),
  }),
})

export const markTabSeen = endpoint({
  name: 'markTabSeen',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/tab-counts/{tab}',
  summary: 'Mark a tab as seen',
  description: 'For you only: its count starts at 0 again.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'viewer', writes: 'own' },
  params: WorkspaceParams.extend({ tab: z.enum(tabs) }),
  body: z.strictObject({}).default({}),
  reply: z.object({ tab: z.enum(tabs), seen_at: Instant }),
})
