import { type Route, route } from '../../../platform/http/route.ts'
import { importSpend } from './contract.ts'
import * as operations from './operations.ts'

export const importRoutes: readonly Route[] = [
  route(
    importSpend,
    async (context, { body, raw }) => ({
      data:
        raw === null
          ? await operations.importSpend(context, body.rows)
          : await operations.importSpendCsv(context, raw.bytes),
    }),
    ({ body, raw }) => operations.validateSpend(raw === null ? body.rows : operations.readCsv(raw.bytes)),
  ),
]
