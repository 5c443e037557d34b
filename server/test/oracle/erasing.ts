/** Erases a person through the route of partner apps, and runs the job immediately. */
import { sql } from 'kysely'
import { eraseCustomer } from '../../src/features/corrections/erasures/contract.ts'
import { runPendingErasures } from '../../src/features/corrections/erasures/erase.ts'
import { ClientError } from '../../src/platform/contract/client.ts'
import { createCheckedClient } from '../answers.ts'
import type { TestApp } from '../app.ts'
import { makeKey } from '../make.ts'
import type { Identifier } from './history.ts'

export async function eraseIn(app: TestApp, profileId: string, who: Identifier): Promise<string> {
  const { db } = app.service
  const token = await makeKey(app, profileId, ['identity:write'])
  // Only a partner app's key may erase.
  await sql`
    update credentials set app_id = ${profileId}
    where profile_id = ${profileId} and scopes = '{identity:write}'`.execute(db)
  const call = createCheckedClient({ ...app, token })
  try {
    const { data } = await call(eraseCustomer, { body: { [who.kind]: who.value } })
    if (data.status === 'completed') return 'known'
  } catch (error) {
    if (error instanceof ClientError) return error.code
    throw error
  }
  await runPendingErasures(app.service, profileId)
  return 'ok'
}
