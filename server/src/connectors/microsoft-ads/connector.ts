/** Microsoft Advertising over REST: accounts, campaigns, ads, spend by day, clicks; conversions through its Conversions API. */
import { type Connector, type OAuth, ProviderError } from '../connector.ts'
import { tokenRefusal } from '../microsoft-mail/refusals.ts'
import { microsoftOAuth } from '../microsoft-oauth.ts'
import { listAccounts } from './accounts.ts'
import { exportConversions, previewExport } from './exports.ts'
import { readBudget, readStatus, setBudget, setStatus } from './status.ts'
import { syncPage } from './sync.ts'

const oauth = microsoftOAuth(
  ['https://ads.microsoft.com/msads.manage', 'offline_access'],
  'msads.manage',
  tokenRefusal,
)

/** Valid refresh tokens are occasionally refused and accepted on retry (BingAds-Python-SDK issue 279). */
const refresh: NonNullable<OAuth['refresh']> = async (http, app, token, now) => {
  try {
    return await oauth.refresh(http, app, token, now)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.reason !== 'invalid_grant') throw error
    return oauth.refresh(http, app, token, now)
  }
}

export const microsoftAds: Connector = {
  provider: 'microsoft_ads',
  accountKind: 'ad_account',
  exclusiveAccount: true,
  oauth: { ...oauth, refresh },
  listAccounts,
  sync: { page: (session, window, cursor) => syncPage(session, window, cursor) },
  exports: { send: exportConversions, preview: previewExport },
  ads: { readStatus, setStatus, readBudget, setBudget },
}
