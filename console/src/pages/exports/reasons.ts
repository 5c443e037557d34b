import { sentence } from '../../names/providers.ts'
import type { Tone } from '../../ui/badge.tsx'

export const kindNames = {
  social: 'Meta',
  engine: 'Google Ads',
  shortvideo: 'TikTok',
  microsoft: 'Microsoft Ads',
  linkedin: 'LinkedIn Ads',
} as const

export const statusTones = { queued: 'accent', sent: 'good', failed: 'bad', skipped: 'plain' } as const
export const destinationTones = { active: 'good', disabled: 'plain', needs_action: 'bad' } as const

export const platformTones: Record<string, Tone> = {
  processing: 'accent',
  success: 'good',
  partial_success: 'warn',
  failed: 'bad',
}

/** What each reason means and, if possible, what to do about it. */
const reasonTexts: Record<string, string> = {
  // Withheld by this profile's own rules.
  owner_decision_required:
    'This is a healthcare profile: an owner or admin of the workspace has to approve the destination',
  clean_dataset_required: 'The privacy mode allows only the clean dataset, and none is set',
  not_on_healthcare_allowlist: 'Not on the healthcare allow-list',
  hipaa_baa_unsigned: 'The HIPAA agreement is not recorded yet',
  conversion_disabled: 'This goal is switched off under Data sharing',
  conversion_unmapped: 'This goal has no event name at the destination',
  conversion_gone: 'The conversion no longer counts',
  consent_denied: 'The person refused consent',
  person_erased: 'The person was erased',
  no_match_keys: 'No email, phone, id or click to match the person',
  no_match_key: 'No click or identifier of this platform',
  limited_data_use:
    'Consent or the privacy mode limits its use, and this platform does not support that limit',
  too_old: 'Older than the platform accepts',
  no_change: 'Nothing changed since it was sent',
  original_not_sent: 'The conversion itself was never sent',
  adjustment_unsupported: 'The platform cannot change a conversion it has received',
  adjustment_not_supported: 'The platform cannot change a conversion it has received',
  outcome_unknown: 'The platform did not respond, and it is too late to retry safely',
  // A person must act.
  authorization_ended: 'The app that created this destination no longer has access',
  maker_ended: 'The person or key that created this destination no longer has access',
  authorization_lost: 'The platform no longer accepts the connection: reconnect it',
  permission_missing: 'The connection lacks a permission: reconnect it and grant everything requested',
  target_not_found: 'The platform cannot find this target, or does not accept conversions for it',
  terms_not_accepted: 'Someone with access to the ad account has to accept the platform’s terms',
  connection_disconnected: 'The connection was disconnected',
  // The platform's diagnostics.
  event_too_old: 'Older than the platform’s look-back for clicks',
  no_consent: 'No consent, which the platform requires in the EEA',
  denied_consent: 'Consent was denied',
  unknown_consent: 'The platform could not tell whether there was consent',
  invalid_gclid: 'The click id could not be read',
  invalid_gbraid: 'The click id could not be read',
  invalid_wbraid: 'The click id could not be read',
  duplicate_gclid: 'The same click and time were sent before',
  duplicate_transaction_id: 'The same id was sent before',
  operating_account_mismatch_for_ad_identifier: 'The click belongs to another ad account',
  destination_account_enhanced_conversions_terms_not_signed:
    'The ad account has not accepted the terms for enhanced conversions',
}

export const reasonText = (reason: string | null): string =>
  reason === null ? '' : (reasonTexts[reason] ?? sentence(reason))
