/** Datasets of messaging accounts: `POST /{page or chat account}/dataset` is idempotent. */

import type { SandboxReply } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'

type Page = { id: string; instagram_business_account: { id: string } }

export function createMessagingDatasets(seed: string, pages: () => readonly Page[]) {
  const datasets = new Map<string, string>()
  return {
    answer(ownerId: string): SandboxReply {
      const datasetId = seededDigits(15, seed, 'messaging dataset', ownerId)
      datasets.set(datasetId, ownerId)
      return { status: 200, body: { id: datasetId } }
    },
    has: (datasetId: string) => datasets.has(datasetId),
    /** A page shares its dataset with its photo account. */
    accountsOf(datasetId: string): string[] {
      const ownerId = datasets.get(datasetId)
      const photo = pages().find((page) => page.id === ownerId)?.instagram_business_account.id
      return [ownerId, photo].filter((id) => id !== undefined)
    },
  }
}
