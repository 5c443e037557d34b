import type { McpSettings } from './queries.ts'

/** Used until a workspace saves its own settings. */
export const defaultSettings: McpSettings = {
  enabled: true,
  writeback_enabled: false,
  pii_mode: 'masked',
  allowed_tools: null,
  max_rows: 100,
  budget_step_percent: 50,
  require_confirmation: true,
}
