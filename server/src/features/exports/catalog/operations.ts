import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../contract/errors.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { forgetCredentials } from '../../access/authenticate.ts'
import { stripPersonScopes } from '../../access/authorizations.ts'
import { recordSetting } from '../../audit/record.ts'
import { forgetOldAgents } from '../../events/agents.ts'
import { type CatalogEntry, entryOf, type PrivacyMode } from '../../export-queue/rules.ts'
import { listGoalKeys } from '../destinations/queries.ts'
import type { ConversionSyncCatalog } from './contract.ts'
import {
  findSettings,
  lockPrivacyMode,
  readPrivacyMode,
  type SettingsRow,
  savePrivacyMode,
  saveSettings,
  unset,
} from './queries.ts'
import { catalogProblem, maySetMode } from './rules.ts'

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
    if (!maySetMode({ from, to }, context))
      throw new ApiError(
        'forbidden',
        `Leaving the privacy mode ${from} for ${to} needs an admin of the workspace or the app that governs the profile.`,
        { reason: 'privacy_mode_loosened' },
      )
    const problem = catalogProblem(body, await listGoalKeys(tx, { profileId }))
    if (problem !== null) throw new ApiError('validation_error', problem)
    const before = await readCatalog(tx, profileId)
    const standing = (await findSettings(tx, { profileId })) ?? unset(profileId, now)
    await savePrivacyMode(tx, { profileId, privacyMode: to })
    await saveSettings(tx, {
      ...standing,
      conversions: body.conversions,
      healthcare_allowlist: body.healthcare_export_allowlist,
      agreement_signed_by: body.hipaa_agreement?.signed_by ?? null,
      agreement_signed_at: body.hipaa_agreement === null ? null : new Date(body.hipaa_agreement.signed_at),
      partner_customer_list: body.partner_customer_list,
      updated_at: now,
    })
    // From now on everybody whom the profile knows is a patient.
    if (from === 'standard' && to !== 'standard') await stripPersonScopes(tx, [profileId])
    // No browser is told in this mode.
    if (to === 'hipaa') await forgetOldAgents(tx, { profileId, before: null })
    const after = await readCatalog(tx, profileId)
    await recordSetting(tx, context, {
      action: 'conversion_sync.catalog_saved',
      subject: profileId,
      before: { ...before, updated_at: null },
      after: { ...after, updated_at: null },
    })
    return after
  })
  forgetCredentials(context.service)
  return saved
}
