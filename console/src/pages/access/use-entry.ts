import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/queries.ts'

/** After signing in or up: nothing of whoever was here before stays, and the person goes where they meant to. */
export function useEntry(next: string | undefined) {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.push(next ?? '/')
  }
}
