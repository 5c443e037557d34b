/** Syncs an ad account: structure, delivery by day from reports, and the ads behind clicks. */
import { readStepPage } from '../ad-account-steps.ts'
import type { Session, SyncPage, SyncWindow } from '../connector.ts'
import { accountCurrency, withAccount } from './accounts.ts'
import { type ClickStep, clickSteps, readClicks } from './clicks.ts'
import { type ReportStep, readDelivery, reportSteps } from './delivery.ts'
import type { Wait } from './reports.ts'
import { readStructure, type StructureStep } from './structure.ts'

const structure: StructureStep[] = [{ kind: 'campaigns' }, { kind: 'ad_groups' }, { kind: 'ads' }]

export function syncPage(
  session: Session,
  window: SyncWindow,
  cursor: string | null,
  wait?: Wait,
): Promise<SyncPage> {
  const accountSession = withAccount(session)
  const steps: (StructureStep | ReportStep | ClickStep)[] = [
    ...structure,
    ...reportSteps(window),
    ...clickSteps(window),
  ]
  return readStepPage(cursor, steps, {
    currency: () => accountCurrency(accountSession),
    read(at, step) {
      if (step.kind === 'clicks') return readClicks(accountSession, step, at.after, wait)
      return step.kind === 'report'
        ? readDelivery(accountSession, step, at, wait)
        : readStructure(accountSession, step, at)
    },
  })
}
