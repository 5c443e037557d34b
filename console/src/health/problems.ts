import type { Connection } from '@whence/sdk'
import { plural } from '../format/numbers.ts'
import { connectionName } from '../names/providers.ts'
import type { NavPage } from '../shell/navigation.ts'
import { consentEnd } from './consent-end.ts'

export type Problem = { id: string; text: string; action: string; to: NavPage['to']; tab?: string }

type MissingRate = { currency: string; day: string }

type ProblemInput = {
  connections: readonly Connection[]
  /** Undefined while loading or if no tracker was ever installed. */
  tracker: { status: 'healthy' | 'attention' | 'silent'; events: number } | undefined
  /** Amounts of the last 28 days that could not be converted. */
  rates?: { currency: string; amounts: number; missing: readonly MissingRate[] } | undefined
}

/** Problems that stop data, worst first, each with the page where it can be fixed. */
export function problemsOf({ connections, tracker, rates }: ProblemInput): Problem[] {
  const live = new Set(
    connections.filter(({ status }) => status === 'connected').map(({ channel }) => channel),
  )
  return [
    ...connections.flatMap((connection) => connectionProblem(connection, live)),
    ...(tracker?.status === 'silent'
      ? [
          {
            id: 'tracker',
            text: 'The tracker has recorded no visits for a week.',
            action: 'Check the tracker',
            to: '/p/$profileId/tracking' as const,
          },
        ]
      : []),
    ...(rates && rates.amounts > 0 ? [rateProblem(rates)] : []),
  ]
}

function rateProblem({ currency, amounts, missing }: NonNullable<ProblemInput['rates']>): Problem {
  const from = [...new Set(missing.map((rate) => rate.currency))].sort().join(', ')
  return {
    id: `rates-${from.replaceAll(', ', '-')}`,
    text: `${plural(amounts, 'amount')} missing from the last 28 days: no exchange rate from ${from} to ${currency}.`,
    action: 'Fix it',
    to: '/p/$profileId/setup',
  }
}

function connectionProblem(connection: Connection, live: ReadonlySet<string>): Problem[] {
  const name = `${connectionName(connection)} (${connection.display_name})`
  const loss = connection.channel === 'mailbox' ? 'no emails are sent from it' : 'no new data arrives'
  const to = '/p/$profileId/connections' as const
  const id = connection.id
  const endsOn = consentEnd(connection)
  switch (connection.status) {
    case 'connected':
      return connection.sync.state === 'failed'
        ? [{ id, text: `${name}: the last sync failed.`, action: 'See why', to }]
        : endsOn === null
          ? []
          : [{ id, text: `${name}: the consent ends on ${endsOn}.`, action: 'Reconnect', to }]
    case 'revoked':
      // Not a problem if another account of the provider is connected.
      return live.has(connection.channel)
        ? []
        : [{ id, text: `${name} is disconnected: ${loss}.`, action: 'Reconnect', to }]
    case 'needs_action':
    case 'reconnect_required':
    case 'error':
      return [{ id, text: `${name} stopped working: ${loss}.`, action: 'Reconnect', to }]
  }
}
