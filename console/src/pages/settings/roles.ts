import type { WorkspaceRole } from '@whence/server/platform/contract/access.ts'

export const roleOptions: { value: WorkspaceRole; label: string }[] = [
  { value: 'owner', label: 'Owner' },
  { value: 'admin', label: 'Admin' },
  { value: 'editor', label: 'Editor' },
  { value: 'viewer', label: 'Viewer' },
]

export const roleHint =
  'Viewers can read, editors can also change profiles, admins can also manage people and keys, owners can do everything.'
