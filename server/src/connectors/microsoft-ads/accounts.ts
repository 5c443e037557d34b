/** Ad accounts that the person has access to, and account data required by later calls. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type Account, type ProviderApp, ProviderError, type Session, type TokenSet } from '../connector.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { parsedOrSetAside, readableItems } from '../set-aside.ts'
import { type AdSession, callAds } from './calls.ts'
import { zoneOf } from './time-zones.ts'

const PAGE_SIZE = 1000
const MAX_PAGES = 20

const UserReply = z.looseObject({ User: z.looseObject({ Id: id }) })
const AdvertiserAccount = z.looseObject({
  Id: id,
  Name: text,
  Number: text,
  ParentCustomerId: maybeId,
  CurrencyCode: text,
  TimeZone: text,
  AccountLifeCycleStatus: text,
})
const AccountsReply = z.looseObject({
  Accounts: z.array(parsedOrSetAside('account', AdvertiserAccount)).nullish(),
})

/** Accounts that were never opened, or were closed. */
const unusable = new Set(['Draft', 'Inactive'])

export async function listAccounts(http: Outbound, app: ProviderApp, token: TokenSet): Promise<Account[]> {
  const caller = { http, app, token }
  const service = 'CustomerManagement'
  const { User } = await callAds(caller, null, {
    service,
    path: 'User/Query',
    json: { UserId: null },
    schema: UserReply,
  })
  const accounts = new Map<string, Account>()
  for (let index = 0; index < MAX_PAGES; index++) {
    const { Accounts } = await callAds(caller, null, {
      service,
      path: 'Accounts/Search',
      json: {
        // Exactly one predicate is accepted.
        Predicates: [{ Field: 'UserId', Operator: 'Equals', Value: User.Id }],
        Ordering: [{ Field: 'Id', Order: 'Ascending' }],
        PageInfo: { Index: index, Size: PAGE_SIZE },
      },
      schema: AccountsReply,
    })
    for (const account of readableItems(Accounts ?? []))
      if (!unusable.has(account.AccountLifeCycleStatus ?? '')) accounts.set(account.Id, toAccount(account))
    if ((Accounts?.length ?? 0) < PAGE_SIZE) break
  }
  return [...accounts.values()]
}

const toAccount = (account: z.infer<typeof AdvertiserAccount>): Account => ({
  id: account.Id,
  name: account.Name ?? account.Number ?? account.Id,
  kind: 'ad_account',
  currency: account.CurrencyCode,
  timezone: zoneOf(account.TimeZone),
  tokenExtra: {
    ...(account.ParentCustomerId === null ? {} : { customerId: account.ParentCustomerId }),
    ...(account.TimeZone === null ? {} : { timeZone: account.TimeZone }),
  },
})

/** The session with the account's manager account (customer), which every later call requires. */
export function withAccount(session: Session): AdSession {
  const { customerId, timeZone = null } = session.token.extra
  if (customerId === undefined) throw new ProviderError('malformed', 'The account has no customer id')
  return { ...session, account: { customerId, accountId: session.accountId, timeZone } }
}

export async function accountCurrency(session: AdSession): Promise<string> {
  if (session.currency) return session.currency
  const accounts = await listAccounts(session.http, session.app, session.token)
  const currency = accounts.find((account) => account.id === session.accountId)?.currency
  if (!currency) throw new ProviderError('malformed', 'The account has no currency')
  return currency
}
