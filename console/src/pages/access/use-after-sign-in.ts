import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/queries.ts'
import { basePath } from '../../base-path.ts'

/** After sign-in or sign-up: clears the cache of the previous session and opens the requested page. */
export function useAfterSignIn(next: string | undefined) {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.push(`${basePath}${next ?? '/'}`)
  }
}
