/**
 * Imitates Microsoft Advertising (Bing Ads API v13 over REST) behind the Microsoft identity platform. Written from the
 * reference in MicrosoftDocs/Advertising (2026-08-17) and the enums of BingAds/BingAds-Python-SDK (2026-05-13), read on
 * 2026-11-17. HTTP statuses of refusals are not documented; these are guesses.
 */

import { actInCommon, redirectOrigins } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { microsoftToken, microsoftTokenError } from '../microsoft-oauth.ts'
import { bearerOf, readJson, routedSandbox, textArg } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { type Grant, TokenServer } from '../tokens.ts'
import { leavesOf, type MsAccount, makeAccounts } from './account.ts'
import { accountJson, adJson, campaignJson, groupJson } from './campaigns.ts'
import { createChanges, listNames } from './changes.ts'
import { createConversions, tagOf } from './conversions.ts'
import { fault } from './faults.ts'
import published from './published-enums.json' with { type: 'json' }
import { createReports } from './reports.ts'

const scope = 'https://ads.microsoft.com/msads.manage'

export function createMicrosoftAdsSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const accounts = makeAccounts(options.seed)
  const restated = new Map<string, number>()
  const renamed = new Map<string, string>()
  const extraClicks: Record<string, string>[] = []
  const reports = createReports({ ...options, restated, renamed, extraClicks })
  const conversions = createConversions(options.now, options.seed)
  const changes = createChanges(options.now)
  const userId = seededDigits(9, options.seed, 'microsoft', 'user')
  // Each renewal issues a new refresh token; the strictest reading is that the old one ends.
  const tokens = new TokenServer({
    ...options,
    accessTtlSeconds: 3600,
    refreshTtlSeconds: 90 * 86_400,
    rotates: true,
  })
  const refusals: SandboxReply[] = []
  let refusedRefreshes = 0
  let accountSuffix: string | null = null
  let isAutoTagged = true
  const consent: ConsentScreen = {
    providerName: 'Microsoft Advertising',
    accounts: accounts
      .filter(({ lifeCycle }) => lifeCycle !== 'Inactive')
      .map(({ id, name }) => ({ id, name })),
    scopes: [scope],
    refusal: {
      decline: { error: 'access_denied', error_description: 'AADSTS65004: User declined to consent.' },
      'deny-app': { error: 'unauthorized_client', error_description: 'AADSTS700016: not found.' },
      'provider-error': { error: 'server_error', error_description: 'AADSTS90033: transient error.' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  const token = (request: SandboxRequest): SandboxReply =>
    microsoftToken(tokens, request, (isRefresh) => {
      if (!isRefresh || refusedRefreshes === 0) return null
      refusedRefreshes -= 1
      return microsoftTokenError(70000, 'invalid_grant', 'transient.')
    })

  type Answer = (request: SandboxRequest, json: Record<string, unknown>, grant: Grant) => SandboxReply
  const authorised =
    (answer: Answer) =>
    (request: SandboxRequest): SandboxReply => {
      const grant = tokens.authenticate(bearerOf(request))
      const isKnown = request.headers.developertoken === options.extra.developerToken
      if (grant === null || !isKnown)
        return fault(401, 105, 'InvalidCredentials', 'Authentication failed. InvalidAccessToken.')
      return refusals.shift() ?? answer(request, readJson(request), grant)
    }

  /** Calls for an account have its id and the customer's in headers. */
  const ofAccount = (
    answer: (request: SandboxRequest, json: Record<string, unknown>, account: MsAccount) => SandboxReply,
  ) =>
    authorised((request, json, grant) => {
      const { customerid, customeraccountid } = request.headers
      if (customerid === undefined || customeraccountid === undefined)
        return fault(400, 116, 'RequestMissingHeaders', 'Required header elements are missing.')
      const account = accounts.find(({ id }) => id === customeraccountid && grant.accountIds.includes(id))
      if (account === undefined || account.customerId !== customerid)
        return fault(403, 106, 'UserIsNotAuthorized', 'The user is not authorized to perform this action.')
      return answer(request, json, account)
    })

  function search(json: Record<string, unknown>, grant: Grant): SandboxReply {
    const predicates = (json.Predicates ?? []) as { Field?: string; Value?: unknown }[]
    const { Index = 0, Size = 0 } = (json.PageInfo ?? {}) as { Index?: number; Size?: number }
    if (predicates.length !== 1 || predicates[0]!.Field !== 'UserId' || predicates[0]!.Value !== userId)
      return fault(400, 1028, 'InvalidPredicate', 'Exactly one predicate is supported.')
    // The search also returns the closed account.
    const visibleAccounts = accounts.filter(
      ({ id, lifeCycle }) => grant.accountIds.includes(id) || lifeCycle === 'Inactive',
    )
    return {
      status: 200,
      body: { Accounts: visibleAccounts.slice(Index * Size, (Index + 1) * Size).map(accountJson) },
    }
  }

  function listCampaigns(json: Record<string, unknown>, account: MsAccount): SandboxReply {
    const types = String(json.CampaignType ?? 'Search').split(', ')
    if (types.some((type) => !published.campaignTypes.includes(type)))
      return fault(400, 1100, 'CampaignServiceInvalidCampaignType', 'The campaign type is not valid.')
    const campaigns = account.campaigns.filter(({ type }) => types.includes(type))
    return { status: 200, body: { Campaigns: campaigns.map((campaign) => campaignJson(account, campaign)) } }
  }

  function listGroups(json: Record<string, unknown>, account: MsAccount): SandboxReply {
    const campaign = account.campaigns.find(({ id }) => id === json.CampaignId)
    if (campaign === undefined)
      return fault(400, 1100, 'CampaignServiceInvalidCampaignId', 'The campaign identifier is not valid.')
    return {
      status: 200,
      body: { AdGroups: campaign.groups.filter((group) => !group.isAssetGroup).map(groupJson) },
    }
  }

  function listAds(json: Record<string, unknown>, account: MsAccount): SandboxReply {
    const types = (json.AdTypes ?? []) as string[]
    if (types.length === 0 || types.some((type) => !published.adTypes.includes(type)))
      return fault(400, 1300, 'CampaignServiceAdTypeInvalid', 'The ad types are not valid.')
    const groups = account.campaigns.flatMap((campaign) => campaign.groups)
    const group = groups.find(({ id }) => id === json.AdGroupId)
    if (group === undefined)
      return fault(400, 1200, 'CampaignServiceInvalidAdGroupId', 'The ad group identifier is not valid.')
    const ads = group.ads.filter((ad) => !ad.isDeleted && types.includes(ad.type))
    return { status: 200, body: { Ads: ads.map(adJson) } }
  }

  function plantClick(args: Record<string, unknown>): Record<string, unknown> {
    const leaf = leavesOf(accounts[0]!).find(({ ad }) => ad !== null)!
    const click = {
      TimePeriod: textArg(args, 'day') ?? options.now().toISOString().slice(0, 10),
      CampaignId: leaf.campaign.id,
      AdGroupId: leaf.group.id,
      AdId: leaf.ad!.id,
      MSClickId: textArg(args, 'msclkid') ?? '',
    }
    extraClicks.push(click)
    return { campaign_id: click.CampaignId, ad_set_id: click.AdGroupId, ad_id: click.AdId }
  }

  const refusalsByName: Record<string, SandboxReply> = {
    call_rate: fault(429, 117, 'CallRateExceeded', 'You have exceeded the number of calls.'),
    concurrent: fault(400, 207, 'ConcurrentRequestOverLimit', 'Too many concurrent requests.'),
    incomplete: fault(
      400,
      2004,
      'ReportingServiceNoCompleteDataAvaliable',
      'Only partial data is available.',
    ),
  }

  return routedSandbox({
    name: 'microsoft_ads',
    faults,
    otherwise: fault(404, 404, 'NotFound', 'Not found.'),
    routes: [
      {
        on: 'GET /common/oauth2/v2.0/authorize',
        answer: (request) => consentPage(consent, request, options.clientId),
      },
      {
        on: 'GET /consent/{choice}',
        answer: (request, { choice }) => consentAnswer(consent, request, options.clientId, choice!),
      },
      { on: 'POST /common/oauth2/v2.0/token', answer: token },
      {
        on: 'POST /CustomerManagement/v13/User/Query',
        answer: authorised(() => ({
          status: 200,
          body: {
            User: { Id: userId, UserName: 'studio', UserLifeCycleStatus: 'Active' },
            CustomerRoles: [],
          },
        })),
      },
      {
        on: 'POST /CustomerManagement/v13/Accounts/Search',
        answer: authorised((_request, json, grant) => search(json, grant)),
      },
      {
        on: 'POST /CampaignManagement/v13/Campaigns/QueryByAccountId',
        answer: ofAccount((_request, json, account) => listCampaigns(json, account)),
      },
      {
        on: 'POST /CampaignManagement/v13/AccountProperties/Query',
        answer: ofAccount((_request, json) => ({
          status: 200,
          body: {
            AccountProperties: ((json.AccountPropertyNames ?? []) as string[]).map((Name) => ({
              Name,
              Value:
                Name === 'FinalUrlSuffix'
                  ? (accountSuffix ?? '')
                  : Name === 'MSCLKIDAutoTaggingEnabled'
                    ? String(isAutoTagged)
                    : '',
            })),
            PartialErrors: [],
          },
        })),
      },
      {
        on: 'POST /CampaignManagement/v13/AdGroups/QueryByCampaignId',
        answer: ofAccount((_request, json, account) => listGroups(json, account)),
      },
      {
        on: 'POST /CampaignManagement/v13/Ads/QueryByAdGroupId',
        answer: ofAccount((_request, json, account) => listAds(json, account)),
      },
      ...listNames.flatMap((list) => [
        {
          on: `POST /CampaignManagement/v13/${list}/QueryByIds`,
          answer: ofAccount((_request, json, account) => changes.read(list, json, account)),
        },
        {
          on: `PUT /CampaignManagement/v13/${list}`,
          answer: ofAccount((_request, json, account) => changes.update(list, json, account)),
        },
      ]),
      {
        on: 'POST /Reporting/v13/GenerateReport/Submit',
        answer: ofAccount((_request, json, account) => reports.submit(account, json)),
      },
      {
        on: 'POST /Reporting/v13/GenerateReport/Poll',
        answer: ofAccount((request, json) => reports.poll(request, String(json.ReportRequestId))),
      },
      {
        on: 'POST /CampaignManagement/v13/UetTagAuthKey/Query',
        answer: ofAccount((_request, json, account) => conversions.readKey(json, account)),
      },
      { on: 'POST /v1/{tagId}/events', answer: (request, { tagId }) => conversions.ingest(request, tagId!) },
      { on: 'GET /download/{ticket}', answer: (request, { ticket }) => reports.download(request, ticket!) },
    ],
    exports: conversions.received,
    writes: changes.writes,
    async act(action, args) {
      const times = Number(args.times ?? 1)
      const reset = () => {
        refusals.length = 0
        refusedRefreshes = 0
        reports.pend(0)
        reports.failNext(0)
      }
      const done = actInCommon({ tokens, faults, reset }, action, args)
      if (done !== null) return done
      switch (action) {
        case 'restate':
          restated.set(String(args.day), Number(args.percent))
          return {}
        case 'account_suffix':
          accountSuffix = textArg(args, 'suffix')
          return {}
        case 'auto_tagging':
          isAutoTagged = args.on !== false
          return {}
        case 'budget': {
          const campaign = accounts
            .flatMap(({ campaigns }) => campaigns)
            .find(({ id }) => id === String(args.campaign_id))!
          campaign.budgetId = textArg(args, 'shared_id')
          campaign.budgetType = textArg(args, 'type') ?? campaign.budgetType
          return {}
        }
        case 'asset_group': {
          const campaigns = accounts.flatMap((account) => account.campaigns)
          const { groups } = campaigns.find(({ id }) => id === String(args.campaign_id))!
          return { asset_group_id: groups.find(({ isAssetGroup }) => isAssetGroup)!.id }
        }
        case 'uet_tag':
          return { id: tagOf(accounts[Number(args.account ?? 0)]!) }
        case 'refuse_events':
          conversions.refuseEvents((args.names ?? []) as string[])
          return {}
        case 'rename':
          renamed.set(String(args.campaign_id), String(args.name))
          return {}
        case 'click':
          return plantClick(args)
        case 'refuse':
          for (let remaining = times; remaining > 0; remaining--)
            refusals.push(refusalsByName[String(args.with)]!)
          return {}
        case 'refuse_refresh':
          refusedRefreshes = times
          return {}
        case 'pend_reports':
          reports.pend(Number(args.polls))
          return {}
        case 'fail_reports':
          reports.failNext(times)
          return {}
        case 'expire_downloads':
          reports.expireDownloads()
          return {}
        case 'forget_reports':
          reports.forget()
          return {}
        default:
          throw new Error(`The microsoft_ads sandbox has no action ${action}`)
      }
    },
  })
}
