/** Briefs and alerts. */
import type { Guard } from './guard.ts'

const folder = 'server/src/features/sharing/briefs'
const file = `${folder}/deliveries.test.ts`
const alerts = 'server/src/features/sharing/alerts'
const alertTests = `${alerts}/alerts.test.ts`

export const briefGuards: readonly Guard[] = [
  {
    name: 'briefs: a member whose access ended gets no more mail',
    file: `${folder}/deliver.ts`,
    snippet: "|| member === undefined || !scopesOfMember(member).includes('campaigns:read'))",
    replacement: ')',
    test: { file, title: 'is not sent to a person who can no longer open the profile' },
  },
  {
    name: 'briefs: mail goes to verified addresses only',
    file: `${folder}/deliver.ts`,
    snippet: 'if (user.email_verified_at === null)',
    replacement: 'if (false)',
    test: { file, title: 'is chosen and sent only while the member’s address is verified' },
  },
  {
    name: 'briefs: mails count in the limit of a workspace',
    file: `${folder}/deliver.ts`,
    snippet:
      '  await inTransaction(service.db, (tx) => requireMailing(tx, { workspaceId: profile.workspaceId, now }, 1))\n',
    replacement: '',
    test: { file, title: 'counts in the mails that a workspace may send in a day' },
  },
  {
    name: 'briefs: a key does not see the workspace’s budgets',
    file: `${folder}/routes.ts`,
    snippet: "withPacing: context.caller.kind === 'user',",
    replacement: 'withPacing: true,',
    test: {
      file: `${folder}/briefs.test.ts`,
      title: 'shows a person how the budget of the month is spent, and a key neither that nor the workspace',
    },
  },
  {
    name: 'briefs: a mail that is repeated after a crash keeps its Message-ID',
    file: `${folder}/deliver.ts`,
    snippet: 'messageId: delivery.id,',
    replacement: 'messageId: `${delivery.id}-${Math.random()}`,',
    test: { file, title: 'keeps its Message-ID if a crash makes it repeat' },
  },
  {
    name: 'briefs: a webhook goes to public addresses only',
    file: `${folder}/receivers.ts`,
    snippet: 'const url = checkUrl(context, body.url)',
    replacement: 'const url = body.url',
    test: { file, title: 'refuses addresses that are not public' },
  },
  {
    name: 'briefs: the address of a webhook is encrypted',
    file: `${folder}/receivers.ts`,
    snippet: 'url: seal(service.keyring, urlPlace(profile.id, id), url),',
    replacement: 'url: Buffer.from(url),',
    test: { file, title: 'keeps its address secret, and is listed and removed by owners and admins only' },
  },
  {
    name: 'briefs: webhooks are shown to owners and admins only',
    file: `${folder}/receivers.ts`,
    snippet: "const canSeeWebhooks = roleAtLeast(context.role, 'admin')",
    replacement: 'const canSeeWebhooks = true',
    test: { file, title: 'keeps its address secret, and is listed and removed by owners and admins only' },
  },
  {
    name: 'alerts: a closed day is evaluated once',
    file: `${alerts}/evaluate.ts`,
    snippet: 'rule.evaluated_through === null || rule.evaluated_through < day',
    replacement: 'true',
    test: { file: alertTests, title: 'stays silent while firing and after a restatement' },
  },
  {
    name: 'alerts: a rule about spend waits for the ad data of the day',
    file: `${alerts}/readiness.ts`,
    snippet: 'if (lateSources.length > 0 && ',
    replacement: 'if (lateSources.length < 0 && ',
    test: { file: alertTests, title: 'waits until the ad data of the day is there' },
  },
  {
    name: 'alerts: alerts of a muted rule are not sent',
    file: `${alerts}/evaluate.ts`,
    snippet: 'inserted.has(row.id) && !row.is_muted',
    replacement: 'inserted.has(row.id)',
    test: { file: alertTests, title: 'that is muted is logged and not sent' },
  },
  {
    name: 'alerts: a message contains no personal values',
    file: `${alerts}/compose.ts`,
    snippet: 'const name = withoutPersonalValues(rule.name)',
    replacement: 'const name = rule.name',
    test: { file: alertTests, title: 'stays silent while firing and after a restatement' },
  },
  {
    name: 'alerts: few payments are no evidence',
    file: `${alerts}/rules.ts`,
    snippet: "if (isTooFew(rule, conversions, conversionsBefore)) return unknown('too_few_conversions')",
    replacement: '',
    test: {
      file: `${alerts}/rules.test.ts`,
      title: 'of few payments is not evaluated, but a fall to few payments is',
    },
  },
  {
    name: 'goals: keys cannot read targets',
    file: 'server/src/features/corrections/goals/operations.ts',
    snippet: "caller.kind === 'user' && scopes.includes('campaigns:read')",
    replacement: 'true',
    test: {
      file: 'server/src/features/corrections/goals/goals.test.ts',
      title: 'a goal has one target; lists show its progress, and it is deleted with the goal',
    },
  },
]
