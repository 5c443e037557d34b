import { figures } from './field-texts/figures.ts'
import { idsAndTimes } from './field-texts/ids-and-times.ts'
import { objects } from './field-texts/objects.ts'
import { ofFewRoutes } from './field-texts/of-few-routes.ts'
import { ofOneRoute } from './field-texts/of-one-route.ts'
import { requestsAndCounts } from './field-texts/requests-and-counts.ts'

/** For names that have one meaning across the API. */
export const fieldTexts: Readonly<Record<string, string>> = {
  ...ofOneRoute,
  ...ofFewRoutes,
  ...idsAndTimes,
  ...figures,
  ...objects,
  ...requestsAndCounts,
}
