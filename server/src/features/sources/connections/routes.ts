import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import * as pending from './pending.ts'
import * as stages from './stages.ts'
import * as sync from './sync-requests.ts'
import { toCandidate, toConnection, toSync } from './to-connection.ts'

export const connectionRoutes: readonly Route[] = [
  route(contract.listConnections, async (context, { query }) => ({
    data: (await operations.listConnections(context, query.channel)).map(toConnection),
  })),
  route(contract.getConnection, async (context, { params }) => ({
    data: toConnection(await operations.getConnection(context, params.id)),
  })),
  ...bind(contract, { deleteConnection: operations.deleteConnection }),
  route(contract.disconnectConnection, async (context, { params }) => ({
    data: toConnection(await operations.disconnectConnection(context, params.id)),
  })),
  route(contract.listPixels, async (context, { params }) => ({
    data: { pixels: await operations.listPixels(context, params.id) },
  })),
  route(contract.listPendingChoices, async (context) => ({
    data: (await pending.listPendingChoices(context)).map((choice) => ({
      provider: choice.provider,
      accounts: choice.accounts,
      expires_at: choice.expires_at,
    })),
  })),
  route(contract.listCandidates, async (context, { params }) => ({
    data: (await pending.listCandidates(context, params.provider)).map(toCandidate),
  })),
  route(contract.finalizeConnection, async (context, { params, body }) => {
    const { connectionId, alreadyFinalized } = await pending.finalizeConnection(
      context,
      params.provider,
      body.candidate_id,
    )
    return {
      data: { provider: params.provider, connection_id: connectionId, already_finalized: alreadyFinalized },
    }
  }),
  route(
    contract.startSync,
    async (context, { body }) => ({
      data: { connection_id: await sync.startSync(context, body), state: 'queued' as const },
    }),
    ({ body }) => sync.checkSubject(body),
  ),
  route(contract.getSyncStatus, async (context, { query }) => {
    const { row, sync: state, setAside } = await sync.getSyncStatus(context, query.provider)
    return { data: { provider: row.provider, connection_id: row.id, ...toSync(state, setAside) } }
  }),
  route(contract.listStages, async (context, { params }) => ({
    data: { pipelines: await stages.listStages(context, params.provider) },
  })),
  ...bind(contract, { prefillOutcomes: stages.prefillOutcomes }),
  route(contract.saveStages, async (context, { params, body }) => ({
    data: { pipelines: await stages.saveStages(context, params.provider, body.mappings) },
  })),
]
