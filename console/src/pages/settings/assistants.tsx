import { type DataOf, getMcpSettings, listMcpWritebacks, putMcpSettings } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { usePages, useRead, useWrite } from '../../api/queries.ts'
import { basePath } from '../../base-path.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'

type McpSettings = DataOf<typeof getMcpSettings>
type Writeback = DataOf<typeof listMcpWritebacks>[number]

/** How to connect assistants by MCP, their permissions, and the log of their changes. */
export function Assistants({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      <Connect />
      <Permissions isAdmin={isAdmin} />
      {isAdmin ? <Writebacks /> : null}
    </>
  )
}

function Connect() {
  const address = `${location.origin}${basePath}/mcp`
  const config = {
    servers: { whence: { type: 'http', url: address, headers: { Authorization: 'Bearer KEY' } } },
  }
  return (
    <Card
      title="Connect an assistant"
      note="KEY is an API key or user token with mcp:read, from Developers. Its other scopes decide which tools the assistant sees."
    >
      <h3>Claude, ChatGPT and others with connectors</h3>
      <p>Add a connector with this address, then sign in and allow access.</p>
      <CodeBlock text={address} />
      <h3>Claude Code</h3>
      <CodeBlock
        text={`claude mcp add --transport http whence ${address} --header "Authorization: Bearer KEY"`}
      />
      <h3>VS Code and Cursor</h3>
      <p>As .vscode/mcp.json, or as .cursor/mcp.json with “mcpServers” instead of “servers”.</p>
      <CodeBlock text={JSON.stringify(config, null, 2)} />
    </Card>
  )
}

const switches = [
  ['enabled', 'Assistants may read', 'Reports, explanations and data health of this workspace.'],
  ['writeback_enabled', 'Assistants may write', 'Change campaigns, budgets and payers, after a preview.'],
  ['require_confirmation', 'Confirm every write', 'A write must repeat a preview that was shown before.'],
] as const

function Permissions({ isAdmin }: { isAdmin: boolean }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const settings = useRead(getMcpSettings, { params })
  const save = useWrite(putMcpSettings, [getMcpSettings])
  const change = ({ updated_at: _at, updated_by: _by, ...before }: McpSettings, next: Partial<McpSettings>) =>
    save.mutate({ params, body: { ...before, ...next } })
  return (
    <Card
      title="What assistants may do"
      note="Personal data is masked unless it is enabled through the API."
      flush
    >
      <Loaded query={settings}>
        {({ data }) => (
          <ul className="list">
            {switches.map(([name, label, text]) => (
              <li key={name}>
                <span className="grow">
                  <strong>{label}</strong>
                  <span className="sub">{text}</span>
                </span>
                <Badge tone={data[name] ? 'accent' : 'plain'}>{data[name] ? 'On' : 'Off'}</Badge>
                {isAdmin ? (
                  <Button
                    small
                    disabled={save.isPending}
                    onClick={() => change(data, { [name]: !data[name] })}
                  >
                    {data[name] ? 'Switch off' : 'Switch on'}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function Writebacks() {
  const { workspace, profiles } = useProfileContext()
  const query = usePages(listMcpWritebacks, {
    params: { workspaceId: workspace.id },
    query: { limit: 50 },
  })
  const columns: Column<Writeback>[] = [
    { id: 'what', label: 'Action', cell: (row) => sentence(row.tool.replaceAll('_', ' ')) },
    { id: 'outcome', label: 'Outcome', cell: (row) => sentence(row.error_code ?? row.outcome) },
    { id: 'who', label: 'Assistant', cell: (row) => row.client_name ?? '–' },
    {
      id: 'where',
      label: 'Profile',
      cell: (row) => profiles.find(({ id }) => id === row.profile_id)?.name ?? '–',
    },
    { id: 'when', label: 'When', cell: (row) => instantText(row.occurred_at) },
  ]
  return (
    <Card title="What assistants did" note="Each preview and each write." flush>
      <PagedTable
        label="Writes of assistants"
        query={query}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty icon="info" title="No changes by assistants yet" />}
      />
    </Card>
  )
}
