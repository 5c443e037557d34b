import { bind, pageRoute, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { previewPhoneRepair } from './preview.ts'

export const phoneRepairRoutes: readonly Route[] = [
  ...bind(contract, { previewPhoneRepair, startPhoneRepair: operations.startPhoneRepair }),
  pageRoute(
    contract.listPhoneRepairs,
    operations.listPhoneRepairs,
    (row) => row,
    ({ cursor }) => operations.cursorId(cursor),
  ),
  ...bind(contract, { undoPhoneRepair: operations.undoPhoneRepair }),
]
