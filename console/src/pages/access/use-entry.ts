import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/queries.ts'
import { basePath } from '../../base-path.ts'

/** After signing in or up: clears everything of the previous session and opens the page the person wanted. */
export function useEntry(next: string | undefined) {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.push(`${basePath}${next ?? '/'}`)
  }
}
