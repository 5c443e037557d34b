/** What an app may do with a profile. Pure: the standing is read under the workspace's lock. */

/** What an app is to a profile. */
export type Standing = {
  workspaceId: string
  archivedAt: Date | null
  /** The app made the profile. */
  provisioned: boolean
  /** The authorization that an app governs through, ended ones included. */
  governing: { own: boolean; live: boolean; byConsent: boolean } | null
  /** The app holds a live authorization. */
  authorized: boolean
  /** A live authorization of the app by which a person allowed the adoption. */
  consentId: string | null
  /** A person withdrew an authorization of the app. */
  withdrawn: boolean
}

export function isGoverning({ governing, archivedAt }: Standing): boolean {
  return archivedAt === null && governing?.own === true && governing.live
}

/** As its maker, and not because a person let the app adopt the profile: only then may the app end or gate it. */
export function isProvisioner(standing: Standing): boolean {
  const { governing, provisioned } = standing
  return provisioned && governing?.own === true && !governing.byConsent
}

export type ArchiveVerdict = 'archive' | 'already_archived' | 'adopted' | 'no_profile'

export function canArchive(standing: Standing): ArchiveVerdict {
  if (standing.archivedAt !== null) return isProvisioner(standing) ? 'already_archived' : 'no_profile'
  if (!isGoverning(standing)) return 'no_profile'
  return isProvisioner(standing) ? 'archive' : 'adopted'
}

export type AdoptVerdict =
  | { verdict: 'already_governed' | 'governed_by_another_app' }
  /** By the person's consent: the keys that came with it are all there is. */
  | { verdict: 'by_consent'; authorizationId: string }
  /** In a workspace of the app's own: it gets keys. */
  | { verdict: 'in_own_workspace' }
  | { verdict: 'withdrawn' | 'consent_missing' | 'no_profile' }

export function canAdopt(standing: Standing, ownsWorkspace: boolean): AdoptVerdict {
  const { governing, consentId, authorized, withdrawn } = standing
  if (standing.archivedAt !== null) return { verdict: 'no_profile' }
  if (isGoverning(standing)) return { verdict: 'already_governed' }
  if (consentId === null && !ownsWorkspace) return { verdict: authorized ? 'consent_missing' : 'no_profile' }
  if (governing?.live === true) return { verdict: 'governed_by_another_app' }
  if (consentId !== null) return { verdict: 'by_consent', authorizationId: consentId }
  return { verdict: withdrawn ? 'withdrawn' : 'in_own_workspace' }
}
