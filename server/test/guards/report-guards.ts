/** Client reports, and plans that the store platform bills. */
import type { Guard } from './guard.ts'

const folder = 'server/src/features/sharing/client-reports'
const file = `${folder}/report-mails.test.ts`

export const reportGuards: readonly Guard[] = [
  {
    name: 'reports: a mail that is repeated after a crash keeps its Message-ID',
    file: `${folder}/send.ts`,
    snippet: 'messageId: mail.id,',
    replacement: 'messageId: `${mail.id}-${Math.random()}`,',
    test: { file, title: 'has the same Message-ID when a crash makes it go out twice, and no one is missed' },
  },
  {
    name: 'reports: nothing is mailed while data is missing',
    file: `${folder}/rules.ts`,
    snippet: 'if (!report.sends || !data.isStale)',
    replacement: 'if (!report.sends || !data.isStale || HOLD_MS > 0)',
    test: {
      file,
      title: 'holds a report while data is missing, then skips it; the owners are notified of each once',
    },
  },
  {
    name: 'reports: opening the link of a mail does not unsubscribe',
    file: `${folder}/unsubscribe-pages.ts`,
    snippet: "if (request.method !== 'POST')",
    replacement: "if (request.method === 'PUT')",
    test: {
      file,
      title: 'reaches every recipient with the file, from the agency, with one click to unsubscribe',
    },
  },
  {
    name: 'reports: a person who unsubscribed gets no more',
    file: `${folder}/send.ts`,
    snippet: 'if (await queries.isUnsubscribed(service.db, { profileId, recipient }))',
    replacement: 'if (recipient === profileId)',
    test: {
      file,
      title: 'reaches every recipient with the file, from the agency, with one click to unsubscribe',
    },
  },
  {
    name: 'reports: a report of another tenant is not found',
    file: `${folder}/queries.ts`,
    snippet: 'where profile_id = any(${params.profileIds}::uuid[]) and id = ${params.id}`.execute(db)',
    replacement: 'where id = ${params.id}`.execute(db)',
    test: {
      file: `${folder}/client-reports.test.ts`,
      title: 'reports return 404 to strangers and in another workspace',
    },
  },
  {
    name: 'store plans: only the store platform confirms a payment',
    file: 'server/src/features/account/billing/store-plans.ts',
    snippet: "if (subscription.status !== 'active' || subscription.plan !== plan) return false",
    replacement: 'if (subscription.plan !== plan) return false',
    test: {
      file: 'server/src/features/account/billing/store-plans.test.ts',
      title: 'opens the platform’s page, and the plan changes only when the platform reports it',
    },
  },
  {
    name: 'billing: returning from the page of a plan change does not change the plan',
    file: 'server/src/features/account/billing/plan-change.ts',
    snippet: "current.plan !== plan || current.status === 'canceled'",
    replacement: "current.status === 'canceled'",
    test: {
      file: 'server/src/features/account/billing/plan-change.test.ts',
      title: 'changes the same subscription on the provider’s page, and applies once the provider reports it',
    },
  },
  {
    name: 'billing: a paying workspace gets no second subscription',
    file: 'server/src/features/account/billing/operations.ts',
    snippet: 'if (payer !== undefined && isPaid(payer))',
    replacement: 'if ((false as boolean) && payer !== undefined)',
    test: {
      file: 'server/src/features/account/billing/plan-change.test.ts',
      title: 'to the current plan is refused',
    },
  },
  {
    name: 'snapshots: all statements see the snapshot of the first one, which begins the transaction',
    file: 'server/src/platform/db/begin-ahead.ts',
    snippet:
      "return client.query(text, parameters, [{ name: '', text: waiting, values: [] }, ...(ahead ?? [])])",
    replacement: 'return client.query(text, parameters, ahead)',
    test: {
      file: 'server/src/platform/db/begin-ahead.test.ts',
      title: 'all statements of a snapshot see the state at the first',
    },
  },
  {
    name: 'figures: the total line of a live link has the ROAS of its own revenue and spend',
    file: 'server/src/features/sharing/live-links/page.ts',
    snippet: 'ratio(facts.now.totals.totalRoas)',
    replacement: 'ratio(facts.now.totals.roas)',
    test: { file: 'server/test/figures-agree.test.ts', title: 'every word has one value on every surface' },
  },
]
