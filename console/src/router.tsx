import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { prefetch } from './api/prefetch.ts'
import { basePath } from './base-path.ts'
import { Home } from './pages/home/home.tsx'
import {
  readCampaignSearch,
  readClients,
  readCohortSearch,
  readCreativeSearch,
  readFind,
  readJourneys,
  readNext,
  readPayments,
  readReportSearch,
  readStoreInstall,
  readTab,
  readText,
  readUnattributed,
  reportKeys,
  type TabSearch,
} from './search.ts'
import { AppFailure, PageFailure, PageMissing, PagePending } from './shell/failures.tsx'
import { lazyPage } from './shell/lazy-page.ts'
import { ProfileShell, prefetchProfilesAndWorkspaces } from './shell/profile-shell.tsx'
import { Reauthenticate } from './shell/reauthenticate.tsx'

function Root() {
  return (
    <>
      <Outlet />
      <Reauthenticate />
    </>
  )
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: PageMissing,
  errorComponent: AppFailure,
})

const outsideRoutes = [
  createRoute({ getParentRoute: () => root, path: '/', component: Home }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: (search): { next?: string | undefined } => ({ next: readNext(search.next) }),
    component: lazyPage(() => import('./pages/access/sign-in.tsx'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-up',
    validateSearch: (search): { next?: string | undefined } => ({ next: readNext(search.next) }),
    component: lazyPage(() => import('./pages/access/sign-up.tsx'), 'SignUp'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitations/accept',
    validateSearch: (search) => ({ token: readText(search.token) }),
    component: lazyPage(() => import('./pages/access/accept-invitation.tsx'), 'AcceptInvitation'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyPage(() => import('./pages/access/forgot-password.tsx'), 'ForgotPassword'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: (search) => ({ token: readText(search.token) }),
    component: lazyPage(() => import('./pages/access/reset-password.tsx'), 'ResetPassword'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in-link',
    validateSearch: (search) => ({ token: readText(search.token) }),
    component: lazyPage(() => import('./pages/access/sign-in-link.tsx'), 'SignInLink'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    validateSearch: (search) => ({ token: readText(search.token) }),
    component: lazyPage(() => import('./pages/access/verify-email.tsx'), 'VerifyEmail'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/design',
    component: lazyPage(() => import('./pages/design/design.tsx'), 'Design'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operator',
    validateSearch: readTab,
    component: lazyPage(() => import('./pages/operator/operator.tsx'), 'Operator'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    component: lazyPage(() => import('./pages/account/account.tsx'), 'Account'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/welcome',
    validateSearch: readStoreInstall,
    component: lazyPage(() => import('./pages/home/welcome.tsx'), 'Welcome'),
  }),
] as const

const profile = createRoute({
  getParentRoute: () => root,
  path: '/p/$profileId',
  // Dates and model apply to all pages: every link keeps them, also the profile switch.
  validateSearch: readReportSearch,
  search: { middlewares: [retainSearchParams([...reportKeys])] },
  // Loads in parallel with the page's code; the shell waits for both.
  loader: prefetchProfilesAndWorkspaces,
  component: ProfileShell,
})

/** Pages of a profile. All have the dates and model of the URL (`useReport`) and may validate further search parameters. */
const profileRoutes = [
  createRoute({
    getParentRoute: () => profile,
    path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/p/$profileId/overview', params, replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/overview',
    loader: prefetch(() => import('./pages/overview/overview.tsx')),
    component: lazyPage(() => import('./pages/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/campaigns',
    validateSearch: readCampaignSearch,
    component: lazyPage(() => import('./pages/campaigns/campaigns.tsx'), 'Campaigns'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/why/$conversionId',
    validateSearch: readCampaignSearch,
    component: lazyPage(() => import('./pages/why/why.tsx'), 'Why'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/comparison',
    component: lazyPage(() => import('./pages/comparison/comparison.tsx'), 'Comparison'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/declared',
    loader: prefetch(() => import('./pages/declared/declared.tsx')),
    component: lazyPage(() => import('./pages/declared/declared.tsx'), 'Declared'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/cohorts',
    validateSearch: readCohortSearch,
    loader: prefetch(() => import('./pages/cohorts/cohorts.tsx')),
    component: lazyPage(() => import('./pages/cohorts/cohorts.tsx'), 'Cohorts'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/channels',
    component: lazyPage(() => import('./pages/channels/channels.tsx'), 'Channels'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/journeys',
    validateSearch: readJourneys,
    component: lazyPage(() => import('./pages/journeys/journeys.tsx'), 'Journeys'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/unattributed',
    validateSearch: readUnattributed,
    component: lazyPage(() => import('./pages/unattributed/unattributed.tsx'), 'Unattributed'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/clients',
    validateSearch: readClients,
    component: lazyPage(() => import('./pages/clients/clients.tsx'), 'Clients'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/customers',
    validateSearch: readFind,
    component: lazyPage(() => import('./pages/customers/customers.tsx'), 'Customers'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/customers/$customerId',
    component: lazyPage(() => import('./pages/customers/customer.tsx'), 'CustomerPage'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/identity',
    validateSearch: readTab,
    component: lazyPage(() => import('./pages/identity/identity.tsx'), 'Identity'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/live',
    component: lazyPage(() => import('./pages/live/live.tsx'), 'Live'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/visitors',
    component: lazyPage(() => import('./pages/visitors/visitors.tsx'), 'Visitors'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/conversations',
    component: lazyPage(() => import('./pages/conversations/conversations.tsx'), 'Conversations'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/conversations/$conversationId',
    component: lazyPage(() => import('./pages/conversations/conversation.tsx'), 'ConversationPage'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/people',
    component: lazyPage(() => import('./pages/people/people.tsx'), 'People'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/payments',
    validateSearch: readPayments,
    component: lazyPage(() => import('./pages/payments/payments.tsx'), 'Payments'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/exports',
    validateSearch: readTab,
    component: lazyPage(() => import('./pages/exports/exports.tsx'), 'Exports'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/creatives',
    validateSearch: readCreativeSearch,
    component: lazyPage(() => import('./pages/creatives/creatives.tsx'), 'Creatives'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/patterns',
    component: lazyPage(() => import('./pages/patterns/patterns.tsx'), 'Patterns'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/experiments',
    component: lazyPage(() => import('./pages/experiments/experiments.tsx'), 'Experiments'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/pacing',
    component: lazyPage(() => import('./pages/pacing/pacing.tsx'), 'Pacing'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/alerts',
    component: lazyPage(() => import('./pages/alerts/alerts.tsx'), 'Alerts'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/data-health',
    component: lazyPage(() => import('./pages/data-health/data-health.tsx'), 'DataHealth'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/recommendations',
    component: lazyPage(() => import('./pages/recommendations/recommendations.tsx'), 'Recommendations'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/client-reports',
    component: lazyPage(() => import('./pages/client-reports/client-reports.tsx'), 'ClientReports'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/data-exports',
    component: lazyPage(() => import('./pages/data-exports/data-exports.tsx'), 'DataExports'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/webhooks',
    component: lazyPage(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/help',
    component: lazyPage(() => import('./pages/help/help.tsx'), 'Help'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/setup',
    component: lazyPage(() => import('./pages/setup/setup.tsx'), 'Setup'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/goals',
    component: lazyPage(() => import('./pages/goals/goals.tsx'), 'Goals'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/imports',
    validateSearch: readTab,
    component: lazyPage(() => import('./pages/imports/imports.tsx'), 'Imports'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/connections',
    component: lazyPage(() => import('./pages/connections/connections.tsx'), 'Connections'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/tracking',
    validateSearch: readTab,
    component: lazyPage(() => import('./pages/tracking/tracking.tsx'), 'Tracking'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/developers',
    validateSearch: readTab,
    component: lazyPage(() => import('./pages/developers/developers.tsx'), 'Developers'),
  }),
  createRoute({
    getParentRoute: () => profile,
    path: '/settings',
    validateSearch: (search): TabSearch & { erase?: string | undefined; person?: string | undefined } => ({
      ...readTab(search),
      erase: readText(search.erase),
      person: readText(search.person),
    }),
    component: lazyPage(() => import('./pages/settings/settings.tsx'), 'Settings'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([...outsideRoutes, profile.addChildren([...profileRoutes])]),
  basepath: basePath || '/',
  defaultErrorComponent: PageFailure,
  defaultPreload: 'intent',
  // A slow page shows a skeleton, so that a click gets feedback.
  defaultPendingComponent: PagePending,
  defaultPendingMs: 500,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
