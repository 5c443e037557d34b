/** Permissions of an app on a profile. Pure; the caller reads the relation under the workspace's lock. */

/** Relation of an app to a profile. */
export type AppRelation = {
  workspaceId: string
  archivedAt: Date | null
  /** The app created the profile. */
  provisioned: boolean
  /** The governing authorization, even if it has ended. */
  governing: { own: boolean; live: boolean; byConsent: boolean } | null
  /** The app has a valid authorization. */
  authorized: boolean
  /** A valid authorization of the app in which a person consented to the adoption. */
  consentId: string | null
  /** A person withdrew an authorization of the app. */
  withdrawn: boolean
}

export function isGoverning({ governing, archivedAt }: AppRelation): boolean {
  return archivedAt === null && governing?.own === true && governing.live
}

/** True if the app governs the profile because it created it, not by adoption. Only then may it archive the profile or switch features off. */
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
  /** By a person's consent: the app keeps the keys issued with the consent. */
  | { verdict: 'by_consent'; authorizationId: string }
  /** In a workspace that belongs to the app: new keys are issued. */
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
