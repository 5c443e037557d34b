import type { ProfileContext } from '../../../context.ts'
import { isHealthcare } from '../../../context.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { bind, pageRoute, type Route, route } from '../../../platform/http/route.ts'
import * as audienceContract from './audiences/contract.ts'
import { createAudience } from './audiences/create-audience.ts'
import { sendCustomerList } from './audiences/customer-list.ts'
import { saveAudienceExclusions } from './audiences/exclusions.ts'
import * as catalogContract from './catalog/contract.ts'
import * as catalog from './catalog/operations.ts'
import * as sourceContract from './data-sources/contract.ts'
import * as sources from './data-sources/operations.ts'
import * as destinationContract from './destinations/contract.ts'
import * as destinations from './destinations/operations.ts'
import { statusOf, statusReasonOf, warningsOf } from './destinations/rules.ts'
import * as ledgerContract from './ledger/contract.ts'
import * as ledger from './ledger/operations.ts'
import type { LedgerListRow } from './ledger/queries.ts'
import * as targetContract from './platform-safe/contract.ts'
import * as target from './platform-safe/operations.ts'
import * as previewContract from './preview/contract.ts'
import * as preview from './preview/operations.ts'
import * as testEventContract from './test-event/contract.ts'
import * as testEvent from './test-event/operations.ts'

const toDestination = ({ profile }: ProfileContext, row: destinations.ShownDestination) => {
  const targetOf = (kind: typeof row.kind) => (row.kind === kind ? row.target_id : null)
  const statusReason = statusReasonOf(row, isHealthcare(profile))
  return toReply(destinationContract.ExportDestination, row, {
    social_pixel_id: targetOf('social'),
    engine_conversion_action: targetOf('engine'),
    shortvideo_pixel_code: targetOf('shortvideo'),
    microsoft_uet_tag_id: targetOf('microsoft'),
    linkedin_conversion_id: targetOf('linkedin'),
    status: statusOf(row.enabled, statusReason),
    status_reason: statusReason,
    warnings: warningsOf(row.pixel_conversions),
  })
}

const toLedgerRow = ({ value_minor: valueMinor, ...row }: LedgerListRow) => ({
  ...row,
  event_key: row.conversion_id,
  payload_hash: row.payload_hash?.toString('hex') ?? null,
  value: valueMinor === null || row.currency === null ? null : toDecimalNumber(valueMinor, row.currency),
})

export const exportRoutes: readonly Route[] = [
  route(destinationContract.listExportDestinations, async (context) => ({
    data: (await destinations.listExportDestinations(context)).map((row) => toDestination(context, row)),
  })),
  route(destinationContract.createExportDestination, async (context, { body }) => ({
    data: toDestination(context, await destinations.createExportDestination(context, body)),
  })),
  route(destinationContract.updateExportDestination, async (context, { params, body }) => ({
    data: toDestination(context, await destinations.updateExportDestination(context, params.id, body)),
  })),
  ...bind(previewContract, { previewExportDestination: preview.previewExportDestination }),
  ...bind(catalogContract, {
    getConversionSyncCatalog: catalog.getConversionSyncCatalog,
    saveConversionSyncCatalog: catalog.saveConversionSyncCatalog,
  }),
  pageRoute(ledgerContract.listExportRuns, ledger.listExportRuns, (row) => row),
  ...bind(ledgerContract, { getExportRun: ledger.getExportRun }),
  pageRoute(ledgerContract.listExportLedger, ledger.listExportLedger, toLedgerRow),
  ...bind(sourceContract, { listConversionDataSources: sources.listConversionDataSources }),
  ...bind(targetContract, { setPlatformSafeTarget: target.setPlatformSafeTarget }),
  ...bind(audienceContract, { sendCustomerList, createAudience }),
  route(audienceContract.saveAudienceExclusions, async (context, { params, body }) => ({
    data: await saveAudienceExclusions(context, params.profileId, body),
    meta: { profile_id: params.profileId },
  })),
  ...bind(testEventContract, { sendTestEvent: testEvent.sendTestEvent }),
]
