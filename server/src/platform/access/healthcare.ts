/** `isHealthcare` as an SQL condition on the profile `p` in the workspace `w`. */
import { sql } from 'kysely'

export const isHealthcareProfile = sql<boolean>`(w.healthcare or p.privacy_mode <> 'standard')`
