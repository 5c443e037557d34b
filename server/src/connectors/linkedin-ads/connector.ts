/** LinkedIn Ads: the Marketing API over Rest.li, with ad accounts, their structure, delivery by day, leads and conversions. */
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Account, Connector, ProviderApp, TokenSet } from '../connector.ts'
import { permissionMissing } from '../oauth-token.ts'
import { readableItems } from '../set-aside.ts'
import { readPage } from './calls.ts'
import { exportConversions, previewExport } from './exports.ts'
import { readBack } from './leads.ts'
import { authorizeUrl, exchange, readCallback, refresh } from './login.ts'
import { AdAccount, toAccount } from './mapping.ts'
import { readStatus, setBudget, setStatus } from './status.ts'
import { syncPage } from './sync.ts'
import { answerChallenge, mapWebhook, readPrivacyRequest, splitBody, verifyWebhook } from './webhooks.ts'

/** Scopes that every connection requires; a token response without scopes is accepted. */
const requiredScopes = ['r_ads', 'r_ads_reporting']
const MAX_PAGES = 100

async function listAccounts(http: Outbound, app: ProviderApp, token: TokenSet): Promise<Account[]> {
  if (token.scopes.length > 0 && !requiredScopes.every((scope) => token.scopes.includes(scope)))
    throw permissionMissing()
  const accounts: Account[] = []
  let after: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: Awaited<ReturnType<typeof readPage<AdAccount>>> = await readPage(
      { http, app, token },
      '/adAccounts',
      'account',
      AdAccount,
      { query: { q: 'search' }, pageSize: 500, after },
    )
    accounts.push(...readableItems(page.items).map(toAccount))
    after = page.nextToken
    if (after === null) break
  }
  return accounts
}

export const linkedinAds: Connector = {
  provider: 'linkedin_ads',
  accountKind: 'ad_account',
  exclusiveAccount: true,
  oauth: {
    authorizeUrl,
    readCallback,
    exchange,
    refresh,
    /** No call to revoke a token is documented: people remove the app under Permitted services. */
    revoke: async () => {},
  },
  listAccounts,
  sync: { page: syncPage },
  webhooks: {
    verify: verifyWebhook,
    map: mapWebhook,
    split: splitBody,
    readPrivacyRequest,
    readBack,
    answerChallenge,
  },
  exports: { send: exportConversions, preview: previewExport },
  ads: { readStatus, setStatus, readBudget: readStatus, setBudget },
}
