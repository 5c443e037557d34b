import type { ProfileContext } from '../../../../context.ts'
import { forgetCredentials } from '../../../../platform/access/authenticate.ts'
import { stripPersonScopes } from '../../../../platform/access/authorizations.ts'
import { requireDecider } from '../../../../platform/access/decisions.ts'
import { recordSetting } from '../../../../platform/audit/record.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { type Db, inTransaction, type Tx } from '../../../../platform/db/database.ts'
import { deleteOldUserAgents } from '../../../facts/events/user-agents.ts'
import { type CatalogEntry, entryOf, type PrivacyMode } from '../../../facts/export-queue/rules.ts'
import { mailDecision } from '../decisions/operations.ts'
import { looserParts } from '../decisions/rules.ts'
import { listGoalKeys } from '../destinations/queries.ts'
import type { ConversionSyncCatalog } from './contract.ts'
import {
  defaultSettings,
  findSettings,
  lockPrivacyMode,
  readPrivacyMode,
  type SettingsRow,
  savePrivacyMode,
  saveSettings,
} from './queries.ts'
import { catalogProblem, looserLines } from './rules.ts'

export async function getConversionSyncCatalog(context: ProfileContext): Promise<ConversionSyncCatalog> {
  return readCatalog(context.db, context.profile.id)
}

async function readCatalog(db: Db | Tx, profileId: string): Promise<ConversionSyncCatalog> {
  const [settings, privacyMode, goalKeys] = [
    await findSettings(db, { profileId }),
    await readPrivacyMode(db, { profileId }),
    await listGoalKeys(db, { profileId }),
  ]
  return toCatalog(settings, privacyMode, goalKeys)
}

function toCatalog(
  settings: SettingsRow | undefined,
  privacyMode: PrivacyMode,
  goalKeys: readonly string[],
): ConversionSyncCatalog {
  const conversions = settings?.conversions ?? null
  return {
    privacy_mode: privacyMode,
    conversions: goalKeys.map((key) => entryOf({ conversions }, key)),
    healthcare_export_allowlist: settings?.healthcare_allowlist ?? [],
    hipaa_agreement:
      settings?.agreement_signed_by == null || settings.agreement_signed_at === null
        ? null
        : { signed_by: settings.agreement_signed_by, signed_at: settings.agreement_signed_at.toISOString() },
    partner_customer_list: settings?.partner_customer_list ?? false,
    updated_at: settings === undefined ? null : settings.updated_at.toISOString(),
  }
}

type CatalogBody = {
  privacy_mode: PrivacyMode
  conversions: CatalogEntry[]
  healthcare_export_allowlist: string[]
  hipaa_agreement: { signed_by: string; signed_at: string } | null
  partner_customer_list: boolean
}

export async function saveConversionSyncCatalog(
  context: ProfileContext,
  body: CatalogBody,
): Promise<ConversionSyncCatalog> {
  const { now, profile } = context
  const profileId = profile.id
  const saved = await inTransaction(context.db, async (tx) => {
    const from = await lockPrivacyMode(tx, { profileId })
    const to = body.privacy_mode
    const problem = catalogProblem(body, await listGoalKeys(tx, { profileId }))
    if (problem !== null) throw new ApiError('validation_error', problem)
    const before = await readCatalog(tx, profileId)
    const isPatients = profile.healthcareWorkspace || from !== 'standard' || to !== 'standard'
    const looser = looserParts(before, body, isPatients)
    if (looser.length > 0) await requireDecider(context, `Extending data sharing (${looser.join(', ')})`)
    const settings = (await findSettings(tx, { profileId })) ?? defaultSettings(profileId, now)
    await savePrivacyMode(tx, { profileId, privacyMode: to })
    await saveSettings(tx, {
      ...settings,
      conversions: body.conversions,
      healthcare_allowlist: body.healthcare_export_allowlist,
      agreement_signed_by: body.hipaa_agreement?.signed_by ?? null,
      agreement_signed_at: body.hipaa_agreement === null ? null : new Date(body.hipaa_agreement.signed_at),
      partner_customer_list: body.partner_customer_list,
      updated_at: now,
    })
    // From now on the profile's customers are treated as patients.
    if (from === 'standard' && to !== 'standard') await stripPersonScopes(tx, [profileId])
    // Browsers are never sent in this mode.
    if (to === 'hipaa') await deleteOldUserAgents(tx, { profileId, before: null })
    const after = await readCatalog(tx, profileId)
    await recordSetting(tx, context, {
      action: 'conversion_sync.catalog_saved',
      subject: profileId,
      before: { ...before, updated_at: null },
      after: { ...after, updated_at: null },
    })
    if (looser.length > 0)
      await mailDecision(tx, context, {
        subject: `Data sharing extended: ${profile.name}`,
        lines: [
          `The data sharing of the profile ${profile.name} was extended:`,
          ...looserLines(looser, after),
        ],
      })
    return after
  })
  forgetCredentials(context.service)
  return saved
}
