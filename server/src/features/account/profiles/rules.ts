/** What an app may do with a profile. Pure: the relation is read under the workspace's lock. */

/** What an app is to a profile. */
export type AppRelation = {
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

export function isGoverning({ governing, archivedAt }: AppRelation): boolean {
  return archivedAt === null && governing?.own === true && governing.live
}

/** As its maker, and not because a person let the app adopt the profile: only then may the app end or gate it. */
export function isProvisioner(relation: AppRelation): boolean {
  const { governing, provisioned } = relation
  return provisioned && governing?.own === true && !governing.byConsent
}

export type ArchiveVerdict = 'archive' | 'already_archived' | 'adopted' | 'no_profile'

export function canArchive(relation: AppRelation): ArchiveVerdict {
  if (relation.archivedAt !== null) return isProvisioner(relation) ? 'already_archived' : 'no_profile'
  if (!isGoverning(relation)) return 'no_profile'
  return isProvisioner(relation) ? 'archive' : 'adopted'
}

export type AdoptVerdict =
  | { verdict: 'already_governed' | 'governed_by_another_app' }
  /** By the person's consent: the keys that came with it are all there is. */
  | { verdict: 'by_consent'; authorizationId: string }
  /** In a workspace of the app's own: it gets keys. */
  | { verdict: 'in_own_workspace' }
  | { verdict: 'withdrawn' | 'consent_missing' | 'no_profile' }

export function canAdopt(relation: AppRelation, ownsWorkspace: boolean): AdoptVerdict {
  const { governing, consentId, authorized, withdrawn } = relation
  if (relation.archivedAt !== null) return { verdict: 'no_profile' }
  if (isGoverning(relation)) return { verdict: 'already_governed' }
  if (consentId === null && !ownsWorkspace) return { verdict: authorized ? 'consent_missing' : 'no_profile' }
  if (governing?.live === true) return { verdict: 'governed_by_another_app' }
  if (consentId !== null) return { verdict: 'by_consent', authorizationId: consentId }
  return { verdict: withdrawn ? 'withdrawn' : 'in_own_workspace' }
}
