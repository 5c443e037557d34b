/** Registry of all routes, pages, jobs and schedules. */

import { backupJobs, backupSchedules } from './commands/backup/scheduled.ts'
import { apiKeyRoutes } from './features/account/api-keys/routes.ts'
import { appRoutes } from './features/account/apps/routes.ts'
import { billingJobs, billingSchedules } from './features/account/billing/jobs.ts'
import { billingPages } from './features/account/billing/pages.ts'
import { billingRoutes } from './features/account/billing/routes.ts'
import { brandingPages } from './features/account/branding/pages.ts'
import { brandingRoutes } from './features/account/branding/routes.ts'
import { mcpRoutes } from './features/account/mcp/routes.ts'
import { memberRoutes } from './features/account/members/routes.ts'
import { oauthPages } from './features/account/oauth/pages.ts'
import { operatorRoutes } from './features/account/operator/routes.ts'
import { profileRoutes } from './features/account/profiles/routes.ts'
import { senderDomainJobs, senderDomainSchedules } from './features/account/sender-domain/jobs.ts'
import { senderDomainRoutes } from './features/account/sender-domain/routes.ts'
import { signInPolicyRoutes } from './features/account/sign-in-policy/routes.ts'
import { workspaceRoutes } from './features/account/workspaces/routes.ts'
import { creativePatternRoutes } from './features/advice/creative-patterns/routes.ts'
import { dataDrivenJobs, dataDrivenSchedules } from './features/advice/data-driven/jobs.ts'
import { dataDrivenRoutes } from './features/advice/data-driven/routes.ts'
import { doctorJobs, doctorSchedules } from './features/advice/doctor/jobs.ts'
import { doctorRoutes } from './features/advice/doctor/routes.ts'
import { experimentJobs, experimentSchedules } from './features/advice/experiments/jobs.ts'
import { experimentRoutes } from './features/advice/experiments/routes.ts'
import { pacingRoutes } from './features/advice/pacing/routes.ts'
import { recommendationJobs, recommendationSchedules } from './features/advice/recommendations/jobs.ts'
import { recommendationRoutes } from './features/advice/recommendations/routes.ts'
import { topPerformerJobs, topPerformerSchedules } from './features/advice/top-performers/jobs.ts'
import { topPerformerPages } from './features/advice/top-performers/pages.ts'
import { topPerformerRoutes } from './features/advice/top-performers/routes.ts'
import { utmHealthJobs } from './features/advice/utm-health/jobs.ts'
import { utmHealthRoutes } from './features/advice/utm-health/routes.ts'
import { whatIfRoutes } from './features/advice/what-if/routes.ts'
import { channelRuleRoutes } from './features/attribution/channel-rules/routes.ts'
import { attributionJobs } from './features/attribution/crediting/jobs.ts'
import { attributionRoutes } from './features/attribution/crediting/routes.ts'
import { consentJobs } from './features/attribution/pipeline/fill-consents.ts'
import { nameJobs, nameSchedules } from './features/attribution/pipeline/index-names.ts'
import { fxJobs, fxSchedules } from './features/attribution/pipeline/rates-job.ts'
import {
  customerDataExportJobs,
  customerDataExportSchedules,
} from './features/corrections/customer-data-exports/jobs.ts'
import { customerDataExportRoutes } from './features/corrections/customer-data-exports/routes.ts'
import { erasureJobs } from './features/corrections/erasures/jobs.ts'
import { erasureRoutes } from './features/corrections/erasures/routes.ts'
import { exchangeRateRoutes } from './features/corrections/exchange-rates/routes.ts'
import { goalRoutes } from './features/corrections/goals/routes.ts'
import { identityRoutes } from './features/corrections/identity-review/routes.ts'
import { completePayer } from './features/corrections/payments/payer.ts'
import { paymentRoutes } from './features/corrections/payments/routes.ts'
import { phoneRepairJobs } from './features/corrections/phone-repairs/jobs.ts'
import { phoneRepairRoutes } from './features/corrections/phone-repairs/routes.ts'
import { answerPrivacyRequest, privacyRequestJobs } from './features/corrections/privacy-requests/jobs.ts'
import { retractionRoutes } from './features/corrections/retractions/routes.ts'
import { appointmentJobs, appointmentSchedules } from './features/facts/appointments/jobs.ts'
import { chatCodeRoutes } from './features/facts/chat-codes/routes.ts'
import { conversationRoutes } from './features/facts/conversations/routes.ts'
import { partitionJobs, partitionSchedules } from './features/facts/events/partitions.ts'
import { retentionJobs, retentionSchedules } from './features/facts/events/retention/jobs.ts'
import { eventRoutes } from './features/facts/events/routes.ts'
import { linkTokenRoutes } from './features/facts/link-tokens/routes.ts'
import { restatementJobs, restatementSchedules } from './features/facts/restatements/jobs.ts'
import { annotationRoutes } from './features/insights/annotations/routes.ts'
import { changesRoutes } from './features/insights/changes/routes.ts'
import { cohortRoutes } from './features/insights/cohorts/routes.ts'
import { customerRoutes } from './features/insights/customers/routes.ts'
import { adPeopleRoutes } from './features/insights/people-reached/routes.ts'
import { reportRoutes } from './features/insights/reports/routes.ts'
import { savedViewRoutes } from './features/insights/saved-views/routes.ts'
import { visitorRoutes } from './features/insights/visitors/routes.ts'
import { dataExportJobs, dataExportSchedules } from './features/outgoing/data-exports/jobs.ts'
import { dataExportRoutes } from './features/outgoing/data-exports/routes.ts'
import { exportJobs, exportSchedules } from './features/outgoing/exports/jobs.ts'
import { exportRoutes } from './features/outgoing/exports/routes.ts'
import { mailRoutes } from './features/outgoing/mail/routes.ts'
import { messageRoutes } from './features/outgoing/messages/routes.ts'
import { webhookJobs, webhookSchedules } from './features/outgoing/webhooks/jobs.ts'
import { webhookRoutes } from './features/outgoing/webhooks/routes.ts'
import { alertJobs, alertSchedules } from './features/sharing/alerts/jobs.ts'
import { alertRoutes } from './features/sharing/alerts/routes.ts'
import { briefJobs, briefSchedules } from './features/sharing/briefs/jobs.ts'
import { briefPages } from './features/sharing/briefs/pages.ts'
import { briefRoutes } from './features/sharing/briefs/routes.ts'
import { clientReportJobs, clientReportSchedules } from './features/sharing/client-reports/jobs.ts'
import { clientReportPages } from './features/sharing/client-reports/pages.ts'
import { clientReportRoutes } from './features/sharing/client-reports/routes.ts'
import { clientRoutes } from './features/sharing/clients/routes.ts'
import { demoRoutes } from './features/sharing/demo/routes.ts'
import { demoJobs } from './features/sharing/demo/seed-job.ts'
import { liveLinkPages } from './features/sharing/live-links/pages.ts'
import { liveLinkRoutes } from './features/sharing/live-links/routes.ts'
import { notificationRoutes } from './features/sharing/notifications/routes.ts'
import { tabCountRoutes } from './features/sharing/tab-counts/routes.ts'
import { bankLinkJobs, bankLinkSchedules } from './features/sources/bank-links/jobs.ts'
import { bankLinkRoutes } from './features/sources/bank-links/routes.ts'
import { calendarRoutes } from './features/sources/calendars/routes.ts'
import { campaignRoutes } from './features/sources/campaigns/routes.ts'
import { chatAccountRoutes } from './features/sources/chat-accounts/routes.ts'
import { chatTemplateRoutes } from './features/sources/chat-templates/routes.ts'
import { chatbotRoutes } from './features/sources/chatbot/routes.ts'
import { connectPages } from './features/sources/connect/pages.ts'
import { connectionJobs, connectionSchedules } from './features/sources/connections/jobs.ts'
import { connectionRoutes } from './features/sources/connections/routes.ts'
import { consentSignalPages } from './features/sources/consent-signals/pages.ts'
import { consentSignalRoutes } from './features/sources/consent-signals/routes.ts'
import { declaredSourcePages } from './features/sources/declared-sources/pages.ts'
import { declaredSourceRoutes } from './features/sources/declared-sources/routes.ts'
import { handoffRoutes } from './features/sources/handoffs/routes.ts'
import { importRoutes } from './features/sources/imports/routes.ts'
import { mailboxRoutes } from './features/sources/mailboxes/routes.ts'
import { manualStoreRoutes } from './features/sources/manual-stores/routes.ts'
import { measurementProtocolPages } from './features/sources/measurement-protocol/pages.ts'
import { applyRefundsJob } from './features/sources/measurement-protocol/refunds.ts'
import { messagingAccountRoutes } from './features/sources/messaging-accounts/routes.ts'
import { webhookPages } from './features/sources/provider-webhooks/pages.ts'
import { segmentPages } from './features/sources/segment/pages.ts'
import { shortLinkPages } from './features/sources/short-links/pages.ts'
import { shortLinkRoutes } from './features/sources/short-links/routes.ts'
import { socialPageRoutes } from './features/sources/social-pages/routes.ts'
import { collectRoutes } from './features/sources/tracking/collect.ts'
import { trackingJobs, trackingSchedules } from './features/sources/tracking/jobs.ts'
import { trackingRoutes } from './features/sources/tracking/routes.ts'
import { accessJobs, accessSchedules } from './platform/access/jobs.ts'
import { accessRoutes } from './platform/access/routes.ts'
import { auditRoutes } from './platform/audit/routes.ts'
import type { Job, Schedule } from './platform/contract/job.ts'
import type { PageRoute } from './platform/http/page-route.ts'
import type { Route } from './platform/http/route.ts'
import { upkeepJobs, upkeepSchedules } from './platform/jobs/upkeep.ts'
import { secretJobs, secretSchedules } from './platform/secrets/jobs.ts'

export const routes: readonly Route[] = [
  ...accessRoutes,
  ...workspaceRoutes,
  ...billingRoutes,
  ...profileRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...signInPolicyRoutes,
  ...appRoutes,
  ...brandingRoutes,
  ...alertRoutes,
  ...briefRoutes,
  ...senderDomainRoutes,
  ...tabCountRoutes,
  ...clientReportRoutes,
  ...liveLinkRoutes,
  ...clientRoutes,
  ...auditRoutes,
  ...mcpRoutes,
  ...handoffRoutes,
  ...eventRoutes,
  ...retractionRoutes,
  ...goalRoutes,
  ...importRoutes,
  ...reportRoutes,
  ...cohortRoutes,
  ...changesRoutes,
  ...channelRuleRoutes,
  ...exchangeRateRoutes,
  ...annotationRoutes,
  ...savedViewRoutes,
  ...notificationRoutes,
  ...topPerformerRoutes,
  ...attributionRoutes,
  ...paymentRoutes,
  ...adPeopleRoutes,
  ...connectionRoutes,
  ...manualStoreRoutes,
  ...socialPageRoutes,
  ...chatbotRoutes,
  ...bankLinkRoutes,
  ...calendarRoutes,
  ...messagingAccountRoutes,
  ...mailboxRoutes,
  ...chatAccountRoutes,
  ...messageRoutes,
  ...mailRoutes,
  ...campaignRoutes,
  ...pacingRoutes,
  ...experimentRoutes,
  ...recommendationRoutes,
  ...creativePatternRoutes,
  ...dataDrivenRoutes,
  ...doctorRoutes,
  ...trackingRoutes,
  ...consentSignalRoutes,
  ...declaredSourceRoutes,
  ...shortLinkRoutes,
  ...utmHealthRoutes,
  ...demoRoutes,
  ...webhookRoutes,
  ...erasureRoutes,
  ...customerDataExportRoutes,
  ...identityRoutes,
  ...phoneRepairRoutes,
  ...linkTokenRoutes,
  ...chatCodeRoutes,
  ...conversationRoutes,
  ...chatTemplateRoutes,
  ...customerRoutes,
  ...visitorRoutes,
  ...whatIfRoutes,
  ...dataExportRoutes,
  ...exportRoutes,
  ...operatorRoutes,
]

export const pageRoutes: readonly PageRoute[] = [
  ...oauthPages,
  ...brandingPages,
  ...briefPages,
  ...clientReportPages,
  ...liveLinkPages,
  ...topPerformerPages,
  ...connectPages,
  ...declaredSourcePages,
  ...shortLinkPages,
  ...billingPages,
  ...webhookPages(answerPrivacyRequest),
  ...collectRoutes,
  ...consentSignalPages,
  ...segmentPages(eventRoutes),
  ...measurementProtocolPages(eventRoutes),
]

export const jobs: readonly Job[] = [
  ...backupJobs,
  ...billingJobs,
  ...accessJobs,
  ...attributionJobs,
  ...fxJobs,
  ...connectionJobs,
  ...bankLinkJobs,
  ...appointmentJobs,
  ...experimentJobs,
  ...recommendationJobs,
  ...dataDrivenJobs,
  ...doctorJobs,
  ...demoJobs,
  ...partitionJobs,
  ...retentionJobs,
  ...nameJobs,
  ...consentJobs,
  ...restatementJobs,
  ...webhookJobs,
  ...erasureJobs,
  ...customerDataExportJobs,
  ...phoneRepairJobs,
  ...privacyRequestJobs,
  completePayer,
  applyRefundsJob,
  ...topPerformerJobs,
  ...upkeepJobs,
  ...secretJobs,
  ...dataExportJobs,
  ...exportJobs,
  ...trackingJobs,
  ...utmHealthJobs,
  ...senderDomainJobs,
  ...alertJobs,
  ...briefJobs,
  ...clientReportJobs,
]

export const schedules: readonly Schedule[] = [
  ...backupSchedules,
  ...billingSchedules,
  ...fxSchedules,
  ...accessSchedules,
  ...connectionSchedules,
  ...bankLinkSchedules,
  ...appointmentSchedules,
  ...experimentSchedules,
  ...recommendationSchedules,
  ...dataDrivenSchedules,
  ...doctorSchedules,
  ...partitionSchedules,
  ...retentionSchedules,
  ...nameSchedules,
  ...restatementSchedules,
  ...webhookSchedules,
  ...topPerformerSchedules,
  ...upkeepSchedules,
  ...secretSchedules,
  ...dataExportSchedules,
  ...customerDataExportSchedules,
  ...exportSchedules,
  ...trackingSchedules,
  ...senderDomainSchedules,
  ...alertSchedules,
  ...briefSchedules,
  ...clientReportSchedules,
]
