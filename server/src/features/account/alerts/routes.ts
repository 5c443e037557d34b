import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const alertRoutes: readonly Route[] = [
  route(contract.listAlerts, async (context) => ({
    data: await operations.listAlerts(context),
  })),
  route(contract.createAlert, async (context, { body }) => ({
    data: await operations.createAlert(context, body),
  })),
  route(contract.updateAlert, async (context, { params, body }) => ({
    data: await operations.updateAlert(context, params.id, body),
  })),
  route(contract.deleteAlert, async (context, { params }) => ({
    data: await operations.deleteAlert(context, params.id),
  })),
  route(contract.previewAlert, async (context, { body }) => ({
    data: await operations.previewAlert(context, body.condition),
  })),
  route(contract.listAlertLog, async (context) => ({
    data: await operations.listAlertLog(context),
  })),
]
