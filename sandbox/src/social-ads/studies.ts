/** Studies of the first ad account, planted so that each verdict occurs; they began before the sandbox was started. */

import type { WorldCampaign } from '../ads.ts'
import type { SandboxOptions } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { type GraphNode, type GraphWorld, nodeId } from './graph.ts'

type Study = { node: GraphNode; cells: GraphNode[]; objectives: GraphNode[] }

const DAY_S = 86_400

type Plan = {
  name: string
  type: 'SPLIT_TEST' | 'LIFT' | 'GEO_LIFT' | 'CONTINUOUS_LIFT_CONFIG'
  /** Days before the start of the sandbox; negative is after it. */
  from: number
  to: number
  canceled?: number
  results?: Record<string, number | boolean>
}

const plans: readonly Plan[] = [
  { name: 'Audience test: homeowners against lookalike', type: 'SPLIT_TEST', from: 60, to: 32 },
  { name: 'Audience test of this week', type: 'SPLIT_TEST', from: 5, to: -9 },
  { name: 'Showroom test that was stopped', type: 'SPLIT_TEST', from: 50, to: 30, canceled: 45 },
  {
    name: 'Do kitchen ads bring buyers',
    type: 'LIFT',
    from: 70,
    to: 40,
    results: {
      'population.test': 90_112,
      'population.control': 9_988,
      'buyers.test': 1_204,
      'buyers.control': 101,
      'buyers.lift': 0.322,
      'buyers.pValue': 0.006,
      'buyers.isStatSig': true,
    },
  },
  {
    name: 'Lift with a pixel that lost people',
    type: 'LIFT',
    from: 90,
    to: 62,
    results: {
      'population.test': 84_300,
      'population.control': 9_950,
      'buyers.test': 1_100,
      'buyers.control': 99,
      'buyers.lift': 0.31,
      'buyers.pValue': 0.01,
    },
  },
  { name: 'Consultations in the north', type: 'GEO_LIFT', from: 42, to: 14 },
  { name: 'Continuous measurement', type: 'CONTINUOUS_LIFT_CONFIG', from: 100, to: -100 },
]

export function createStudies(options: SandboxOptions, world: GraphWorld) {
  const [first] = world.accounts
  const studies = plantStudies(options.seed, world.campaigns(first), options.now())
  return {
    of: (accountId: string): GraphNode[] =>
      accountId === nodeId(first) ? studies.map(({ node }) => node) : [],
    /** Cells or objectives of a study that the grant may read; null for anything else. */
    edge(accountIds: readonly string[], id: string, edge: string): GraphNode[] | null {
      const study = studies.find(({ node }) => node.id === id)
      if (!study || !accountIds.includes(nodeId(first))) return null
      return edge === 'cells' || edge === 'objectives' ? study[edge] : null
    },
  }
}

function plantStudies(seed: string, campaigns: readonly WorldCampaign[], startedAt: Date): Study[] {
  const [leads, messaging] = campaigns
  const time = (days: number) =>
    `${new Date((Math.floor(startedAt.getTime() / 1000 / DAY_S) - days) * DAY_S * 1000).toISOString().slice(0, 19)}+0000`
  return plans.map((plan, index) => {
    const id = seededDigits(15, seed, 'study', index)
    const cell = (name: string, extraFields: Record<string, unknown>): GraphNode => ({
      id: seededDigits(15, seed, 'cell', index, name),
      name,
      ...extraFields,
    })
    const listed = (ids: readonly string[]) => ({ data: ids.map((itemId) => ({ id: itemId })) })
    return {
      node: {
        id,
        name: plan.name,
        type: plan.type,
        start_time: time(plan.from),
        end_time: time(plan.to),
        ...(plan.canceled === undefined ? {} : { canceled_time: time(plan.canceled) }),
      },
      cells: cellsOf(plan, leads!, messaging!, cell, listed),
      objectives: plan.results
        ? [{ id: `${id}1`, is_primary: true, type: 'SALES', results: [JSON.stringify(plan.results)] }]
        : [],
    }
  })
}

function cellsOf(
  plan: Plan,
  leads: WorldCampaign,
  messaging: WorldCampaign,
  cell: (name: string, extraFields: Record<string, unknown>) => GraphNode,
  listed: (ids: readonly string[]) => unknown,
): GraphNode[] {
  switch (plan.type) {
    case 'SPLIT_TEST':
      return leads.adSets
        .slice(0, 2)
        .map((adSet) => cell(adSet.name, { treatment_percentage: 50, adsets: listed([adSet.id]) }))
    case 'GEO_LIFT':
      return [messaging, leads].map((campaign) =>
        cell(campaign.name, { treatment_percentage: 50, campaigns: listed([campaign.id]) }),
      )
    default:
      return [
        cell('Kitchen ads', {
          treatment_percentage: 90,
          control_percentage: 10,
          campaigns: listed([leads.id]),
        }),
      ]
  }
}
