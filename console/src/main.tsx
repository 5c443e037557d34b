import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient, whenSignedOut } from './api/queries.ts'
import { prepareOfflinePage } from './offline-page.ts'
import { router } from './router.tsx'
import { ToastProvider } from './ui/toast.tsx'
import './styles/index.css'

whenSignedOut(() => {
  const { pathname, href } = router.state.location
  const open = ['/sign-in', '/sign-up', '/invitations/accept']
  if (!open.includes(pathname)) void router.navigate({ to: '/sign-in', search: { next: href } })
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)

prepareOfflinePage()
