/** A request to each report route, with ids of the small business of ad-world.ts. */
import { cohortRoutes } from '../src/features/insights/cohorts/routes.ts'
import { adPeopleRoutes } from '../src/features/insights/people-reached/routes.ts'
import { reportRoutes } from '../src/features/insights/reports/routes.ts'
import { type ReportedWorld, range } from './reported-world.ts'

export type ReportQuestion = { name: string; path: string }

/** Every route whose responses are cached while nothing changes. */
export const revalidatedRoutes = [...reportRoutes, ...cohortRoutes, ...adPeopleRoutes].filter(
  ({ entry }) => entry.revalidates,
)

type World = Pick<ReportedWorld, 'idOf'>

export function reportQuestions(world: World, asOf: Date): ReportQuestion[] {
  return revalidatedRoutes.flatMap(({ entry }) => {
    const isOfAds = entry.path.startsWith('/ads')
    const id = isOfAds ? world.idOf('ad', 'A1') : world.idOf('campaign', 'C1')
    const values: Record<string, string> = {
      ...range,
      level: isOfAds ? 'ad' : 'campaign',
      reason: 'no_touch',
      path: 'direct',
      platform: 'social_ads',
      entity_ids: id,
      model: 'linear',
    }
    const names = Object.keys((entry.query as unknown as { shape: object }).shape)
    const pathOf = (extraValues: Record<string, string>) => {
      const parameters = Object.entries({ ...values, ...extraValues }).filter(([name]) =>
        names.includes(name),
      )
      return `${entry.path.replace('{id}', id)}?${new URLSearchParams(parameters)}`
    }
    const questions = [{ name: entry.name, path: pathOf({}) }]
    if (names.includes('as_of'))
      questions.push({ name: entry.name, path: pathOf({ as_of: asOf.toISOString() }) })
    return questions
  })
}
