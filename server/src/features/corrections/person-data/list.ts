/**
 * Every table that holds data of a person. Erasures and the export of one person's data go through this list, and
 * `person-data.test.ts` compares it with the schema of the database.
 */
import { contactTables } from './contact-tables.ts'
import type { PersonTable } from './entry.ts'
import { factTables } from './fact-tables.ts'
import { identityTables } from './identity-tables.ts'

export const personTables: readonly PersonTable[] = [...identityTables, ...factTables, ...contactTables]
