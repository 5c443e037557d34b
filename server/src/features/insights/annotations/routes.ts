import { accepted } from '../../../platform/contract/refusal.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import { readRange } from '../../figures/definitions/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const annotationRoutes: readonly Route[] = [
  route(
    contract.listAnnotations,
    async (context, { query }) => {
      const range = accepted(readRange(query))
      return {
        data: await operations.listAnnotations(context, range),
        meta: { date_from: range.from, date_to: range.to },
      }
    },
    ({ query }) => accepted(readRange(query)),
  ),
  ...bind(contract, {
    createAnnotation: operations.createAnnotation,
    updateAnnotation: operations.updateAnnotation,
    deleteAnnotation: operations.deleteAnnotation,
  }),
]
