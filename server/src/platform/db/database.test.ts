import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { openDatabase, withTimeLimit } from './database.ts'

it.each(['used itself', 'used only with a time limit', 'never used'])(
  'close ends all connections of a database that was %s',
  async (use) => {
    const cloned = await cloneDatabase()
    try {
      const { db, pool, close } = openDatabase({ connectionString: cloned.connectionString })
      if (use !== 'never used')
        await sql`select 1`.execute(use === 'used itself' ? db : withTimeLimit(db, 5000))
      await close()
      expect({ ended: pool.ended, open: pool.totalCount }).toEqual({ ended: true, open: 0 })
    } finally {
      await cloned.drop()
    }
  },
)
