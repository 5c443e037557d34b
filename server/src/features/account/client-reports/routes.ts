import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { patchSchedules } from './schedules.ts'

export const clientReportRoutes: readonly Route[] = [
  route(contract.generateReports, async (context, { body }) => ({
    data: await operations.generateReports(context, body),
  })),
  route(contract.getReportsHub, async (context) => ({ data: await operations.getReportsHub(context) })),
  route(contract.downloadReport, async (context, { params }) => {
    const { bytes, contentType, name } = await operations.downloadReport(context, params.reportId)
    return {
      data: null,
      headers: {
        'content-disposition': `attachment; filename="${name}"`,
        'x-content-type-options': 'nosniff',
      },
      file: { contentType, bytes },
    }
  }),
  route(contract.approveReport, async (context, { params }) => ({
    data: await operations.approveReport(context, params.reportId),
  })),
  route(contract.patchSchedules, async (context, { body }) => ({
    data: await patchSchedules(context, body),
  })),
]
