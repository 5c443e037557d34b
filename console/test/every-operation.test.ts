/** Every API operation is used in the console, or has a reason why not. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { routes } from '../../server/src/app.ts'

const BY_PROGRAMS = 'sent by sites, servers and providers, not by a person'
const BY_APPS = 'a partner app’s own credential'
const SAME_ELSEWHERE = 'another operation shows the same'
const RETIRED = 'retired'
const BY_SUPPORT = 'used from the API; no page yet'

/** Areas that are complete. Newer reports get their pages separately. */
const complete = [
  'api-keys',
  'apps',
  'attribution',
  'audit',
  'auth',
  'branding',
  'campaigns',
  'connections',
  'conversions',
  'customer-data-exports',
  'customers',
  'erasures',
  'events',
  'exports',
  'identity',
  'integrations',
  'mcp',
  'members',
  'operator',
  'payments',
  'profiles',
  'retired',
  'top-performers',
  'tracking',
  'webhooks',
  'workspaces',
]

/** Operations without a page, and why. Remove an entry when it gets one. */
const elsewhere: Record<string, string> = {
  sendEvent: BY_PROGRAMS,
  retractEvent: BY_PROGRAMS,
  sendAdReferral: BY_PROGRAMS,
  createLinkToken: BY_PROGRAMS,
  reportCardGatewayPayment: BY_PROGRAMS,
  adoptProfile: BY_APPS,
  archiveProfile: BY_APPS,
  setEntitlement: BY_APPS,
  eraseCustomer: BY_APPS,
  requestCustomerDataExport: BY_APPS,
  getCustomerDataExport: BY_APPS,
  confirmCustomerDataExport: BY_APPS,
  downloadCustomerDataExport: BY_APPS,
  deleteCustomerDataExport: BY_APPS,
  getWorkspaceCustomerDataExport: SAME_ELSEWHERE,
  sendCustomerList: BY_APPS,
  getErasure: BY_APPS,
  deleteConnection: BY_APPS,
  listWorkspaceProfiles: SAME_ELSEWHERE,
  getConnection: SAME_ELSEWHERE,
  getExportRun: SAME_ELSEWHERE,
  getSyncStatus: SAME_ELSEWHERE,
  prefillOutcomes: SAME_ELSEWHERE,
  previewMergeProposal: SAME_ELSEWHERE,
  getTabCounts: BY_SUPPORT,
  markTabSeen: BY_SUPPORT,
  listExchangeRates: BY_SUPPORT,
  deleteExchangeRate: BY_SUPPORT,
  chatInDashboard: RETIRED,
  chatAboutTopPerformers: RETIRED,
}

async function sourceOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !file.name.includes('.test.'))
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

/** Words that confused users; none may come back. */
const stumbledOver =
  /for want of a rate|Nothing to mend|They say|We find\b|Nobody named|Told by the CRM|Lapses|Whence itself|being made again/

it('no page uses the words that confused users', async () => {
  const source = await sourceOf(join(import.meta.dirname, '../src'))
  expect(source.match(stumbledOver)).toBe(null)
})

it('the list of operations without a page is complete and current', async () => {
  const source = await sourceOf(join(import.meta.dirname, '../src'))
  const used = new Set(source.match(/\b[a-z]\w+\b/g))
  const names = routes.filter(({ entry }) => complete.includes(entry.tag)).map(({ entry }) => entry.name)
  expect(
    names.filter((name) => !used.has(name)).sort(),
    'Add an operation without a page to `elsewhere` with a reason; remove it when a page calls it',
  ).toEqual(Object.keys(elsewhere).sort())
})
