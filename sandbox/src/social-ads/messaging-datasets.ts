/** Datasets of accounts that people write to: `POST /{page or chat account}/dataset` answers the same one each time. */

import type { SandboxReply } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'

type Page = { id: string; instagram_business_account: { id: string } }

export function createMessagingDatasets(seed: string, pages: () => readonly Page[]) {
  const made = new Map<string, string>()
  return {
    answer(ownerId: string): SandboxReply {
      const datasetId = seededDigits(15, seed, 'messaging dataset', ownerId)
      made.set(datasetId, ownerId)
      return { status: 200, body: { id: datasetId } }
    },
    has: (datasetId: string) => made.has(datasetId),
    /** A page's dataset is also its photo account's. */
    accountsOf(datasetId: string): string[] {
      const ownerId = made.get(datasetId)
      const photo = pages().find((page) => page.id === ownerId)?.instagram_business_account.id
      return [ownerId, photo].filter((id) => id !== undefined)
    },
  }
}
