/** Experiments of a customer: a finished one with the platform's own comparison, and a running one. */

import type { WorldCampaign } from '../ads.ts'
import { addDays } from '../days.ts'
import { seededDigits } from '../seeded-random.ts'
import type { FlatRow } from './gaql.ts'

const plans = [
  {
    name: 'Broad match against exact',
    status: 'ENABLED',
    from: -60,
    to: -30,
    estimate: 6.5,
    margin: 9.1,
    control: 48,
  },
  { name: 'New bidding', status: 'ENABLED', from: -6, to: 15, estimate: null, margin: null, control: null },
  { name: 'Draft', status: 'SETUP', from: 3, to: 30, estimate: null, margin: null, control: null },
] as const

export function experimentRows(
  seed: string,
  customerId: string,
  campaigns: readonly WorldCampaign[],
  startedOn: string,
  resource: string,
): FlatRow[] {
  return plans.flatMap((plan, index): FlatRow[] => {
    const id = seededDigits(9, seed, customerId, 'experiment', index)
    const name = `customers/${customerId}/experiments/${id}`
    if (resource === 'experiment')
      return [
        {
          'experiment.resource_name': name,
          'experiment.experiment_id': id,
          'experiment.name': plan.name,
          'experiment.status': plan.status,
          'experiment.start_date': addDays(startedOn, plan.from),
          'experiment.end_date': addDays(startedOn, plan.to),
          ...(plan.estimate === null
            ? {}
            : {
                'metrics.control_conversions': plan.control,
                'metrics.conversions_absolute_change_point_estimate': plan.estimate,
                'metrics.conversions_absolute_change_margin_of_error': plan.margin,
              }),
        },
      ]
    return campaigns.slice(0, 2).map((campaign, arm) => ({
      'experiment_arm.experiment': name,
      'experiment_arm.name': arm === 0 ? 'Base' : 'Trial',
      'experiment_arm.control': arm === 0,
      'experiment_arm.traffic_split': 50,
      'experiment_arm.campaigns': [`customers/${customerId}/campaigns/${campaign.id}`],
    }))
  })
}
