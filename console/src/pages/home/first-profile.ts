/** The profile last used in this browser, else the demo because it has data, else the first. */
export function firstProfile<P extends { id: string; is_demo: boolean; archived_at: string | null }>(
  profiles: readonly P[],
  remembered: string | null,
): P | undefined {
  const live = profiles.filter((profile) => profile.archived_at === null)
  return (
    live.find((profile) => profile.id === remembered) ?? live.find((profile) => profile.is_demo) ?? live[0]
  )
}
