import type { Connection } from '@whence/sdk'
import { plural } from '../format/numbers.ts'
import { connectionName } from '../names/providers.ts'
import type { NavPage } from '../shell/navigation.ts'
import { consentEnd } from './consent-end.ts'

export type Problem = { id: string; text: string; action: string; to: NavPage['to']; tab?: string }

type MissingRate = { currency: string; day: string }

type Found = {
  connections: readonly Connection[]
  /** Undefined where no tracker was ever installed, or it is not known yet. */
  tracker: { status: 'healthy' | 'attention' | 'silent'; events: number } | undefined
  /** Of the last days, where some amount could not be converted. */
  rates?: { currency: string; amounts: number; missing: readonly MissingRate[] } | undefined
}

/** What keeps data from coming, worst first; each with the one place where it is fixed. */
export function problemsOf({ connections, tracker, rates }: Found): Problem[] {
  const live = new Set(
    connections.filter(({ status }) => status === 'connected').map(({ channel }) => channel),
  )
  return [
    ...connections.flatMap((connection) => connectionProblem(connection, live)),
    ...(tracker?.status === 'silent'
      ? [
          {
            id: 'tracker',
            text: 'The tracker has been silent for a week: no visit was recorded.',
            action: 'Check the tracker',
            to: '/p/$profileId/tracking' as const,
          },
        ]
      : []),
    ...(rates && rates.amounts > 0 ? [rateProblem(rates)] : []),
  ]
}

function rateProblem({ currency, amounts, missing }: NonNullable<Found['rates']>): Problem {
  const from = [...new Set(missing.map((rate) => rate.currency))].sort().join(', ')
  return {
    id: `rates-${from.replaceAll(', ', '-')}`,
    text: `${plural(amounts, 'amount')} of the last 28 days left out: no exchange rate from ${from} to ${currency}.`,
    action: 'Fix it',
    to: '/p/$profileId/setup',
  }
}

function connectionProblem(connection: Connection, live: ReadonlySet<string>): Problem[] {
  const name = `${connectionName(connection)} (${connection.display_name})`
  const loss = connection.channel === 'mailbox' ? 'no mail is sent from it' : 'no new data comes in'
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
      // Another account of the same provider has replaced it: no problem.
      return live.has(connection.channel)
        ? []
        : [{ id, text: `${name} is disconnected: ${loss}.`, action: 'Reconnect', to }]
    case 'needs_action':
    case 'reconnect_required':
    case 'error':
      return [{ id, text: `${name} stopped working: ${loss}.`, action: 'Reconnect', to }]
  }
}
