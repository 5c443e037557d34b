import { models } from '@whence/engine'
import type { ProfileContext } from '../../../../context.ts'
import { shareOf, unpackCredit } from '../../../attribution/crediting/credits/packed.ts'
import { type ClassifiedPath, loadPaths } from '../../../attribution/crediting/credits/paths.ts'
import { entityDetails } from '../../../figures/rollups/entities.ts'
import { type Reported, type ReportScope, report, type Snapshot } from '../../../figures/snapshot/snapshot.ts'
import { loadVocabulary } from '../../../sources/declared-sources/operations.ts'
import { answeredPayments, countPayers } from '../queries/declared-answers.ts'
import type { DeclaredReport } from './contract.ts'
import { type AnsweredCustomer, countAnswers, intervalOf, sharedTexts, splitBy, UNKNOWN } from './rules.ts'

export function getDeclaredReport(
  context: ProfileContext,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<DeclaredReport>> {
  return report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const { tx, profileId } = snapshot
    const customers = await countPayers(tx, { profileId, range: scope.range })
    const answered = await answeredCustomers(snapshot)
    const vocabulary = new Map((await loadVocabulary(tx, profileId)).map((entry) => [entry.key, entry]))
    const campaigns = splitBy(answered, (part) => part.campaignId)
    const entities = await entityDetails(tx, { profileId, ids: campaigns.map(({ key }) => key) })
    const response = intervalOf(answered.length, customers)
    const data: DeclaredReport = {
      customers,
      answered: answered.length,
      response_rate: response.share,
      response_rate_low: response.share_low,
      response_rate_high: response.share_high,
      answers: countAnswers(answered, (key) => vocabulary.get(key)?.channels ?? []).map((row) => ({
        ...row,
        label_en: vocabulary.get(row.answer_key)?.label_en ?? null,
        label_es: vocabulary.get(row.answer_key)?.label_es ?? null,
        ...intervalOf(row.count, answered.length),
      })),
      channels: splitBy(answered, (part) => part.channel).map(({ key, ...row }) => ({
        channel: key,
        ...row,
      })),
      campaigns: campaigns.map(({ key, ...row }) => ({
        campaign_id: key,
        platform_id: entities.get(key)?.external_id ?? null,
        campaign_name: entities.get(key)?.name ?? null,
        ...row,
      })),
      texts: sharedTexts(answered),
    }
    return { data }
  })
}

/** Uses the same packed credits as the rollups. */
async function answeredCustomers({ tx, profileId, scope }: Snapshot): Promise<AnsweredCustomer[]> {
  const model = models.indexOf(scope.model)
  const rows = (await answeredPayments(tx, { profileId, range: scope.range })).map((row) => ({
    row,
    shares: shareOf(unpackCredit(row.packed), model),
  }))
  const numbers = [...new Set(rows.flatMap(({ shares }) => shares.map(({ path }) => path)))]
  const paths =
    numbers.length === 0 ? new Map<number, ClassifiedPath>() : await loadPaths(tx, profileId, numbers)
  return rows.map(({ row, shares }) => ({
    answerKey: row.answer_key,
    text: row.answer_text,
    parts:
      shares.length === 0
        ? [{ channel: UNKNOWN, campaignId: null, weight: 1 }]
        : shares.map(({ path, weight, total }) => ({
            channel: paths.get(path)?.channel ?? UNKNOWN,
            campaignId: paths.get(path)?.campaignId ?? null,
            weight: weight / total,
          })),
  }))
}
