import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const alertRoutes: readonly Route[] = bind(contract, {
  listAlerts: operations.listAlerts,
  createAlert: operations.createAlert,
  updateAlert: operations.updateAlert,
  deleteAlert: operations.deleteAlert,
  previewAlert: operations.previewAlert,
  listAlertLog: operations.listAlertLog,
})
