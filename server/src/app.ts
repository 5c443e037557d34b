/** The list of routes, jobs and connectors, written out. */

import type { Job, Schedule } from './contract/job.ts'
import { accessJobs, accessSchedules } from './features/access/jobs.ts'
import { accessRoutes } from './features/access/routes.ts'
import { adPeopleRoutes } from './features/ad-people/routes.ts'
import { annotationRoutes } from './features/annotations/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { appRoutes } from './features/apps/routes.ts'
import { attributionJobs } from './features/attribution/jobs.ts'
import { attributionRoutes } from './features/attribution/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { billingJobs, billingSchedules } from './features/billing/jobs.ts'
import { billingPages } from './features/billing/pages.ts'
import { billingRoutes } from './features/billing/routes.ts'
import { brandingPages } from './features/branding/pages.ts'
import { brandingRoutes } from './features/branding/routes.ts'
import { campaignRoutes } from './features/campaigns/routes.ts'
import { channelRuleRoutes } from './features/channel-rules/routes.ts'
import { chatTemplateRoutes } from './features/chat-templates/routes.ts'
import { cohortRoutes } from './features/cohorts/routes.ts'
import { connectPages } from './features/connect/pages.ts'
import { connectionJobs, connectionSchedules } from './features/connections/jobs.ts'
import { connectionRoutes } from './features/connections/routes.ts'
import { conversationRoutes } from './features/conversations/routes.ts'
import { conversionRoutes } from './features/conversions/routes.ts'
import { creativePatternRoutes } from './features/creative-patterns/routes.ts'
import { customerRoutes } from './features/customers/routes.ts'
import { demoRoutes } from './features/demo/routes.ts'
import { seedDemo } from './features/demo/seed-job.ts'
import { erasureJobs } from './features/erasures/jobs.ts'
import { erasureRoutes } from './features/erasures/routes.ts'
import { partitionJobs, partitionSchedules } from './features/events/partitions.ts'
import { retentionJobs, retentionSchedules } from './features/events/retention/jobs.ts'
import { eventRoutes } from './features/events/routes.ts'
import { experimentJobs, experimentSchedules } from './features/experiments/jobs.ts'
import { experimentRoutes } from './features/experiments/routes.ts'
import { exportJobs, exportSchedules } from './features/exports/jobs.ts'
import { exportRoutes } from './features/exports/routes.ts'
import { handoffRoutes } from './features/handoffs/routes.ts'
import { identityRoutes } from './features/identity-review/routes.ts'
import { importRoutes } from './features/imports/routes.ts'
import { webhookPages } from './features/inbox/pages.ts'
import { integrationJobs, integrationSchedules } from './features/integrations/jobs.ts'
import { integrationRoutes } from './features/integrations/routes.ts'
import { memberRoutes } from './features/members/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { oauthPages } from './features/oauth/pages.ts'
import { pacingRoutes } from './features/pacing/routes.ts'
import { completePayer } from './features/payments/payer.ts'
import { paymentRoutes } from './features/payments/routes.ts'
import { fxJobs, fxSchedules } from './features/pipeline/rates-job.ts'
import { privacyRequestJobs } from './features/privacy-requests/jobs.ts'
import { profileRoutes } from './features/profiles/routes.ts'
import { recommendationJobs, recommendationSchedules } from './features/recommendations/jobs.ts'
import { recommendationRoutes } from './features/recommendations/routes.ts'
import { reportRoutes } from './features/reports/routes.ts'
import { retractionRoutes } from './features/retractions/routes.ts'
import { savedViewRoutes } from './features/saved-views/routes.ts'
import { topPerformerJobs, topPerformerSchedules } from './features/top-performers/jobs.ts'
import { topPerformerPages } from './features/top-performers/pages.ts'
import { topPerformerRoutes } from './features/top-performers/routes.ts'
import { collectRoutes } from './features/tracking/collect.ts'
import { trackingRoutes } from './features/tracking/routes.ts'
import { visitorRoutes } from './features/visitors/routes.ts'
import { webhookJobs, webhookSchedules } from './features/webhooks/jobs.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { workspaceRoutes } from './features/workspaces/routes.ts'
import type { PageRoute } from './http/page-route.ts'
import type { Route } from './http/route.ts'
import { upkeepJobs, upkeepSchedules } from './jobs/upkeep.ts'
import { secretJobs, secretSchedules } from './secrets/jobs.ts'

export const routes: readonly Route[] = [
  ...accessRoutes,
  ...workspaceRoutes,
  ...billingRoutes,
  ...profileRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...appRoutes,
  ...brandingRoutes,
  ...auditRoutes,
  ...handoffRoutes,
  ...eventRoutes,
  ...retractionRoutes,
  ...conversionRoutes,
  ...importRoutes,
  ...reportRoutes,
  ...cohortRoutes,
  ...channelRuleRoutes,
  ...annotationRoutes,
  ...savedViewRoutes,
  ...notificationRoutes,
  ...topPerformerRoutes,
  ...attributionRoutes,
  ...paymentRoutes,
  ...adPeopleRoutes,
  ...connectionRoutes,
  ...integrationRoutes,
  ...campaignRoutes,
  ...pacingRoutes,
  ...experimentRoutes,
  ...recommendationRoutes,
  ...creativePatternRoutes,
  ...trackingRoutes,
  ...demoRoutes,
  ...webhookRoutes,
  ...erasureRoutes,
  ...identityRoutes,
  ...conversationRoutes,
  ...chatTemplateRoutes,
  ...customerRoutes,
  ...visitorRoutes,
  ...exportRoutes,
]

export const pageRoutes: readonly PageRoute[] = [
  ...oauthPages,
  ...brandingPages,
  ...topPerformerPages,
  ...connectPages,
  ...billingPages,
  ...webhookPages,
  ...collectRoutes,
]

export const jobs: readonly Job[] = [
  ...billingJobs,
  ...accessJobs,
  ...attributionJobs,
  ...fxJobs,
  ...connectionJobs,
  ...integrationJobs,
  ...experimentJobs,
  ...recommendationJobs,
  seedDemo,
  ...partitionJobs,
  ...retentionJobs,
  ...webhookJobs,
  ...erasureJobs,
  ...privacyRequestJobs,
  completePayer,
  ...topPerformerJobs,
  ...upkeepJobs,
  ...secretJobs,
  ...exportJobs,
]

export const schedules: readonly Schedule[] = [
  ...billingSchedules,
  ...fxSchedules,
  ...accessSchedules,
  ...connectionSchedules,
  ...integrationSchedules,
  ...experimentSchedules,
  ...recommendationSchedules,
  ...partitionSchedules,
  ...retentionSchedules,
  ...webhookSchedules,
  ...topPerformerSchedules,
  ...upkeepSchedules,
  ...secretSchedules,
  ...exportSchedules,
]
