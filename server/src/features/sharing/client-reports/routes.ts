import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { patchSchedules } from './schedules.ts'

export const clientReportRoutes: readonly Route[] = [
  ...bind(contract, { generateReports: operations.generateReports, getReportsHub: operations.getReportsHub }),
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
  ...bind(contract, { approveReport: operations.approveReport, patchSchedules }),
]
