import { toReply } from '../../../platform/contract/to-reply.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import type * as queries from './queries.ts'

const toDpa = (app: queries.OAuthAppRow) => ({
  status: dpaStatus(app),
  version: app.dpa_version,
  accepted_at: app.dpa_accepted_at,
  withdrawn_at: app.dpa_withdrawn_at,
})

function dpaStatus(app: queries.OAuthAppRow): 'not_accepted' | 'accepted' | 'withdrawn' {
  if (app.dpa_accepted_at === null) return 'not_accepted'
  return app.dpa_withdrawn_at === null ? 'accepted' : 'withdrawn'
}

const toApp = (app: operations.AppWithSecrets) =>
  toReply(contract.OAuthApp, app, {
    dpa: toDpa(app),
    secrets: app.secrets.map(({ hint, created_at, expires_at }) => ({ hint, created_at, expires_at })),
  })

export const appRoutes: readonly Route[] = [
  route(contract.listOAuthApps, async (context) => ({
    data: (await operations.listOAuthApps(context)).map(toApp),
  })),
  route(contract.createOAuthApp, async (context, { body }) => {
    const { app, secret } = await operations.createOAuthApp(context, body)
    return { data: { ...toApp(app), client_secret: secret } }
  }),
  route(contract.updateOAuthApp, async (context, { params, body }) => ({
    data: toApp(await operations.updateOAuthApp(context, params.appId, body)),
  })),
  ...bind(contract, { rotateOAuthAppSecret: operations.rotateOAuthAppSecret }),
  route(contract.acceptDpa, async (context, { params }) => ({
    data: { app_id: params.appId, ...toDpa(await operations.acceptDpa(context, params.appId)) },
  })),
  route(contract.withdrawDpa, async (context, { params }) => ({
    data: { app_id: params.appId, ...toDpa(await operations.withdrawDpa(context, params.appId)) },
  })),
  route(contract.listConnectedApps, async (context) => {
    const rows = await operations.listConnectedApps(context)
    return {
      data: rows.map((row) => ({
        id: row.id,
        app: { id: row.app_id, client_id: row.client_id, name: row.app_name, logo_url: row.logo_url },
        profile_id: row.profile_id,
        profile_name: row.profile_name,
        grant: row.grant_name,
        scopes: row.scopes,
        authorized_by_user_id: row.user_id,
        governs: row.governs,
        created: row.created.map(({ kind, id, name }) => ({ kind, id, name })),
        created_at: row.created_at,
      })),
    }
  }),
  ...bind(contract, { revokeConnectedApp: operations.revokeConnectedApp }),
]
