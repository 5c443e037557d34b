/** The same question as `isHealthcare`, asked of the profile `p` in the workspace `w` in SQL. */
import { sql } from 'kysely'

export const isHealthcareProfile = sql<boolean>`(w.healthcare or p.privacy_mode <> 'standard')`
