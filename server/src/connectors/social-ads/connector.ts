/** Connector of the social ads platform (Graph API): OAuth, ad accounts, pages, datasets, messaging. */
import { z } from 'zod'
import { type Connector, ProviderError, type Session } from '../connector.ts'
import { maybeId, text } from '../reply-fields.ts'
import { createCustomerList, removeFromCustomerList, uploadCustomerList } from './audiences.ts'
import { callGraph, readWholeList } from './calls.ts'
import {
  listChatAccounts,
  listChatTemplates,
  readTemplateInsights,
  subscribeChatAccount,
} from './chat-accounts.ts'
import {
  createChatTemplate,
  listChatNumbers,
  readMedia,
  registerNumber,
  requestNumberCode,
  uploadMedia,
  uploadTemplateSample,
  verifyNumberCode,
} from './chat-media.ts'
import { createDataset, duplicateAndSwapAdSets, listDatasets, listLiveAdSets } from './datasets.ts'
import { listExperiments } from './experiments.ts'
import { exportConversions, previewExport } from './exports.ts'
import { authorizeUrl, exchange, messagesEnabled, readCallback, refresh, revoke } from './login.ts'
import { budgetToMinor, minorToBudget, toAccount, toPixel } from './mapping.ts'
import { redactBody } from './messages.ts'
import {
  createMessagingDataset,
  listMessagingAccounts,
  messageFields,
  readPhotoAccount,
  subscribeMessages,
  unsubscribeChat,
} from './messaging-accounts.ts'
import { AdAccount, GraphPixel, Page } from './replies.ts'
import { sendMessage } from './send-messages.ts'
import { accountCurrency, syncPage } from './sync.ts'
import { answerChallenge, mapWebhook, readBack, verifyWebhook } from './webhooks.ts'

const Success = z.looseObject({ success: z.boolean().nullish() })
const BudgetedEntity = z.looseObject({
  status: z.string(),
  effective_status: text,
  daily_budget: maybeId,
  lifetime_budget: maybeId,
  campaign: z.looseObject({ status: text }).nullish(),
})

async function write(session: Session, id: string, form: Record<string, string>): Promise<void> {
  const path = `/${encodeURIComponent(id)}`
  await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path,
    form,
    schema: Success,
  })
}

async function readBudget(session: Session, id: string, fields: string) {
  const path = `/${encodeURIComponent(id)}`
  const currency = await accountCurrency(session)
  const entity = await callGraph(session.http, session.app, session.token.accessToken, {
    path,
    query: { fields },
    schema: BudgetedEntity,
  })
  return {
    status: entity.status,
    effectiveStatus: entity.effective_status,
    campaignStatus: entity.campaign?.status ?? null,
    dailyBudgetMinor: budgetToMinor(entity.daily_budget, currency),
    lifetimeBudgetMinor: budgetToMinor(entity.lifetime_budget, currency),
  }
}

const listPages = (session: Session) =>
  readWholeList(session.http, session.app, session.token, '/me/accounts', Page, {
    fields: 'id,name,category,access_token',
    limit: 100,
  })

/** Webhook fields of a page: its leads, and its messages if the deployment has enabled them. */
const pageFields = ({ app }: Session): string[] =>
  messagesEnabled(app) ? ['leadgen', ...messageFields] : ['leadgen']

async function subscribePage(session: Session, pageId: string, subscribed: boolean): Promise<void> {
  const page = (await listPages(session)).find(({ id }) => id === pageId)
  if (!page?.access_token) throw new ProviderError('not_found', 'The person does not manage this page')
  await callGraph(session.http, session.app, page.access_token, {
    method: subscribed ? 'POST' : 'DELETE',
    path: `/${encodeURIComponent(pageId)}/subscribed_apps`,
    ...(subscribed ? { form: { subscribed_fields: pageFields(session).join(',') } } : {}),
    schema: Success,
  })
}

const PhotoPage = z.looseObject({
  id: z.string(),
  instagram_business_account: z.looseObject({ id: z.string() }).nullish(),
})

async function listPhotoAccounts(session: Session) {
  if (!messagesEnabled(session.app)) return []
  const pages = await readWholeList(session.http, session.app, session.token, '/me/accounts', PhotoPage, {
    fields: 'id,instagram_business_account{id}',
    limit: 100,
  })
  return pages.flatMap((page) =>
    page.instagram_business_account ? [{ pageId: page.id, id: page.instagram_business_account.id }] : [],
  )
}

/** Ads have no budget. For ad sets and ads the campaign's status decides whether a change is possible. */
const statusFields = {
  campaign: 'status,effective_status,daily_budget,lifetime_budget',
  ad_set: 'status,effective_status,daily_budget,lifetime_budget,campaign{status}',
  ad: 'status,effective_status,campaign{status}',
} as const

export const socialAds: Connector = {
  provider: 'social_ads',
  accountKind: 'ad_account',
  exclusiveAccount: true,
  oauth: { authorizeUrl, readCallback, exchange, refresh, revoke },
  async listAccounts(http, app, token) {
    // People can decline single permissions; without this one no ads can be read.
    if (!token.scopes.includes('ads_read'))
      throw new ProviderError('permission_missing', 'The person did not grant ads_read', {
        providerCode: 'scope_missing',
      })
    const query = { fields: 'id,name,currency,timezone_name,account_status', limit: 100 }
    return (await readWholeList(http, app, token, '/me/adaccounts', AdAccount, query)).map(toAccount)
  },
  sync: { page: syncPage },
  webhooks: { verify: verifyWebhook, map: mapWebhook, readBack, answerChallenge, redactBody },
  exports: { send: exportConversions, preview: previewExport },
  audiences: { create: createCustomerList, upload: uploadCustomerList, remove: removeFromCustomerList },
  datasets: {
    list: listDatasets,
    create: createDataset,
    listLiveAdSets,
    swapAdSets: duplicateAndSwapAdSets,
    async listPixels(session) {
      const fields = 'id,name,creation_time,last_fired_time,is_unavailable,owner_business{id,name}'
      const path = `/${session.accountId}/adspixels`
      const pixels = await readWholeList(session.http, session.app, session.token, path, GraphPixel, {
        fields,
        limit: 100,
      })
      return pixels.map(toPixel)
    },
  },
  ads: {
    readStatus: (session, target) => readBudget(session, target.externalId, statusFields[target.level]),
    setStatus: (session, target, status) => write(session, target.externalId, { status }),
    async setBudget(session, target, budget) {
      const amount = String(minorToBudget(budget.amountMinor, await accountCurrency(session)))
      await write(session, target.externalId, { [`${budget.type}_budget`]: amount })
    },
    readBudget: (session, target) => readBudget(session, target.externalId, statusFields[target.level]),
  },
  experiments: { list: listExperiments },
  pages: {
    list: async (session) =>
      (await listPages(session)).map(({ id, name, category }) => ({ id, name: name ?? id, category })),
    subscribe: subscribePage,
    listPhotoAccounts,
  },
  messaging: {
    listAccounts: listMessagingAccounts,
    subscribe: subscribeMessages,
    unsubscribeChat,
    createDataset: createMessagingDataset,
    readPhotoAccount,
    send: sendMessage,
  },
  chat: {
    listAccounts: listChatAccounts,
    subscribe: subscribeChatAccount,
    listNumbers: listChatNumbers,
    requestCode: requestNumberCode,
    verifyCode: verifyNumberCode,
    register: registerNumber,
    uploadMedia,
    readMedia,
    uploadSample: uploadTemplateSample,
    createTemplate: createChatTemplate,
    listTemplates: listChatTemplates,
    readInsights: readTemplateInsights,
  },
}
