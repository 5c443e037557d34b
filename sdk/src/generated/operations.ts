// Generated from openapi.json by npm run generate.
import type { Operation, RawBody } from '../operation.ts'
import type {
  AcceptDpaReply,
  AcceptDpaRequest,
  AcceptInvitationReply,
  AcceptInvitationRequest,
  ActivateWebPixelReply,
  AdLevel,
  AddFactorReply,
  AddFactorRequest,
  AdoptProfileReply,
  AdoptProfileRequest,
  Alert,
  AlertFigure,
  AlertLogEntry,
  Annotation,
  ApiKey,
  AppMeta,
  ApproveReportRequest,
  ArchiveProfileReply,
  ArchiveWorkspaceMeta,
  ArchiveWorkspaceReply,
  AttributionSettings,
  Branding,
  BriefSubscription,
  BriefWebhook,
  Budget,
  BudgetChange,
  Calendar,
  CalendarEvent,
  CampaignTotal,
  Candidate,
  ChangeEmailRequest,
  ChangePasswordRequest,
  ChannelRow,
  ChatNumber,
  ChatTemplate,
  ClientReport,
  Cohort,
  CohortBy,
  CohortTotal,
  ComparePlatformsReply,
  ComplianceOverview,
  ConfirmAddressRequest,
  ConfirmFactorReply,
  ConfirmFactorRequest,
  ConnectBankLinkRequest,
  Connection,
  Conversation,
  ConversionDataSource,
  ConversionSyncCatalog,
  CreateAlertRequest,
  CreateAnnotationRequest,
  CreateApiKeyRequest,
  CreateAudienceReply,
  CreateAudienceRequest,
  CreateBillingPortalSessionReply,
  CreateBillingPortalSessionRequest,
  CreateBriefWebhookRequest,
  CreateCalendarRequest,
  CreateChatTemplateRequest,
  CreateCheckoutSessionReply,
  CreateCheckoutSessionRequest,
  CreateDemoProfileReply,
  CreateDemoProfileRequest,
  CreateGeoExperimentReply,
  CreateGeoExperimentRequest,
  CreateGoalRequest,
  CreateLinkTokenReply,
  CreateLinkTokenRequest,
  CreateManualStoreRequest,
  CreateOAuthAppReply,
  CreateOAuthAppRequest,
  CreateOwnBrowserLinkReply,
  CreateOwnBrowserLinkRequest,
  CreateProfileReply,
  CreateProfileRequest,
  CreateRecoveryCodesReply,
  CreateShortLinkRequest,
  CreateTrackingDomainRequest,
  CreateUserTokenReply,
  CreateUserTokenRequest,
  CreateWebhookSubscriptionRequest,
  CreateWorkspaceReply,
  CreateWorkspaceRequest,
  CreativeArchetype,
  CreativeDimension,
  CreativePattern,
  CreditedConversion,
  Customer,
  CustomerDataExport,
  CustomerSort,
  DataDestination,
  DataDrivenModel,
  DataRun,
  DataSourceKind,
  DecideIdentityLinkRequest,
  DecideMergeProposalRequest,
  DeclareSourceReply,
  DeclareSourceRequest,
  DeclaredReport,
  Delivery,
  DetailedRow,
  DropProblemReply,
  DropProblemRequest,
  EraseCustomerRequest,
  EraseWorkspaceCustomerRequest,
  ErasureReceipt,
  EventInput,
  EventMapInput,
  EventResult,
  ExchangeRate,
  Experiment,
  ExplainConversionMeta,
  ExplainConversionReply,
  ExplainPlatformGapReply,
  ExportDestination,
  ExportLedgerRow,
  ExportPreview,
  ExportRun,
  FinalizeConnectionReply,
  FinalizeConnectionRequest,
  FinishSignInRequest,
  GenerateReportsReply,
  GenerateReportsRequest,
  GeoDesign,
  GetAdIdQualityReply,
  GetApiUsageReply,
  GetAuthOptionsReply,
  GetBriefMeta,
  GetBriefReply,
  GetCampaignReply,
  GetCampaignStatusReply,
  GetChangesMeta,
  GetChangesReply,
  GetChannelRulesReply,
  GetConversationReply,
  GetCustomerReply,
  GetDataDrivenMeta,
  GetDataSchemaReply,
  GetDeclaredVocabularyReply,
  GetDoctorReply,
  GetFactorsReply,
  GetHandoffMeta,
  GetJourneysMeta,
  GetMeReply,
  GetOperatorStatusReply,
  GetOverviewReply,
  GetProblemReply,
  GetReadinessMeta,
  GetReadinessReply,
  GetRealtimeReply,
  GetReportsHubReply,
  GetStorefrontPixelInstallerReply,
  GetSubscriptionReply,
  GetSyncStatusReply,
  GetTabCountsReply,
  GetTagManagerInstallerReply,
  GetTopPerformersBriefReply,
  GetTrackingConsentMeta,
  GetTrackingConsentReply,
  GetTrackingOpsReply,
  GetTrackingOriginReply,
  GetTrackingQualityReply,
  GetTrackingSnippetReply,
  GetUnattributedReply,
  GetUtmHealthMeta,
  GetWebhookDeliveryReply,
  Goal,
  Handoff,
  IdentityLink,
  ImportSpendReply,
  ImportSpendRequest,
  Invitation,
  InviteMemberReply,
  InviteMemberRequest,
  InviteProfileMemberReply,
  InviteProfileMemberRequest,
  JourneyPath,
  LinkStatus,
  ListAdPeopleMeta,
  ListAdPeopleReply,
  ListAnnotationsMeta,
  ListBriefReceiversReply,
  ListCampaignsMeta,
  ListClientsMeta,
  ListPixelsReply,
  ListRecommendationsMeta,
  ListStagesReply,
  ListTopPerformersMeta,
  ListWorkspaceProfilesMeta,
  ListWorkspaceTopPerformersMeta,
  LiveLink,
  LookUpEventsReply,
  ManualStore,
  MarkTabSeenReply,
  MarkTabSeenRequest,
  McpSettings,
  McpWriteback,
  Member,
  MergePreview,
  MergeProposal,
  MessagingAccount,
  MessagingChannel,
  Meta,
  MintHandoffRequest,
  MintedApiKey,
  ModelParam,
  NamedEntity,
  NewLiveLink,
  NewMail,
  NewMessage,
  Notification,
  OfferPasskeyReply,
  OfferReauthenticationReply,
  OutcomesByType,
  PacingRow,
  PacingTarget,
  Pagination,
  PatchSchedulesRequest,
  Payment,
  PrefillOutcomesReply,
  PreviewAlertRequest,
  PreviewPhoneRepairReply,
  PreviewPhoneRepairRequest,
  Problem,
  ProblemKind,
  Profile,
  ProfileMeta,
  ProviderParam,
  PutBrandingRequest,
  PutBriefSubscriptionRequest,
  PutMcpSettingsRequest,
  PutMemberRequest,
  ReadNotificationsReply,
  ReadNotificationsRequest,
  ReauthenticateRequest,
  Recommendation,
  Recompute,
  RecordRefundRequest,
  RecordedOutcome,
  RecoverWebhookEventsReply,
  RecoverWebhookEventsRequest,
  RegisterChatNumberReply,
  RegisterChatNumberRequest,
  RegisterSenderDomainRequest,
  RenameFactorRequest,
  RepairIdentityReply,
  RepairIdentityRequest,
  ReplayWebhookDeliveryReply,
  ReplayWebhookDeliveryRequest,
  ReportCardGatewayPaymentReply,
  ReportCardGatewayPaymentRequest,
  ReportMeta,
  ReportSchedule,
  ReportingCurrency,
  RequestChatCodeReply,
  RequestChatCodeRequest,
  RequestCustomerDataExportRequest,
  RequestPasswordResetRequest,
  RequestSignInLinkRequest,
  RequestWorkspaceCustomerDataExportRequest,
  ResetPasswordRequest,
  ResolveChatCodeReply,
  ResolveChatCodeRequest,
  RetractEventReply,
  RetractEventRequest,
  RetryProblemReply,
  RetryProblemRequest,
  RevenueType,
  RevokeApiKeyReply,
  RevokeApiKeyRequest,
  RotateApiKeyReply,
  RotateApiKeyRequest,
  RotateOAuthAppSecretReply,
  RotateOAuthAppSecretRequest,
  RotateWebhookSecretRequest,
  RunDoctorReply,
  SaveAudienceExclusionsMeta,
  SaveAudienceExclusionsReply,
  SaveAudienceExclusionsRequest,
  SaveChannelRulesReply,
  SaveChannelRulesRequest,
  SaveChatbotRequest,
  SaveConversionSyncCatalogRequest,
  SaveDeclaredVocabularyReply,
  SaveDeclaredVocabularyRequest,
  SaveExchangeRateRequest,
  SaveStagesReply,
  SaveStagesRequest,
  SaveViewRequest,
  SavedView,
  ScanIdentityRepairsReply,
  ScanMergeProposalsReply,
  ScanMergeProposalsRequest,
  ScanUtmHealthMeta,
  ScanUtmHealthRequest,
  ScoreWindowParam,
  SelectStorePlanReply,
  SelectStorePlanRequest,
  SendAdReferralReply,
  SendAdReferralRequest,
  SendCustomerListReply,
  SendCustomerListRequest,
  SendEventsReply,
  SendEventsRequest,
  SendTestEventReply,
  SendTestEventRequest,
  SenderDomain,
  SentMail,
  SentMessage,
  SetEntitlementReply,
  SetEntitlementRequest,
  SetGoalTargetReply,
  SetGoalTargetRequest,
  SetInstallmentRequest,
  SetPacingTargetRequest,
  SetPayerRequest,
  SetPlatformSafeTargetReply,
  SetPlatformSafeTargetRequest,
  SetSigningIdRequest,
  ShareCalendarRequest,
  ShortLink,
  SignInByLinkRequest,
  SignInByPasskeyRequest,
  SignInPolicy,
  SignInRequest,
  SignUpRequest,
  SignedIn,
  Snapshot,
  SnapshotCapture,
  SocialPage,
  StartBankLinkReply,
  StartCalendarLinkRequest,
  StartDataRunRequest,
  StartMailboxLinkRequest,
  StartPhoneRepairReply,
  StartPhoneRepairRequest,
  StartRecomputeRequest,
  StartSyncReply,
  StartSyncRequest,
  StartVerificationRequest,
  StatusChange,
  Subscription,
  SubscriptionWithSecret,
  SyncChatTemplatesReply,
  TagClientsRequest,
  TestChannelRulesReply,
  TestDataDestinationReply,
  TestWebhookSubscriptionReply,
  TestWebhookSubscriptionRequest,
  TopPerformerRow,
  TopPerformersExport,
  TrackPagesRequest,
  TrackingDomain,
  TrackingKey,
  TrackingSettings,
  TrendRow,
  UnattributedReason,
  UndoMergeReply,
  UndoMergeRequest,
  UndoPhoneRepairReply,
  UndoPhoneRepairRequest,
  UpdateAlertRequest,
  UpdateAnnotationRequest,
  UpdateAttributionSettingsReply,
  UpdateAttributionSettingsRequest,
  UpdateComplianceOverviewRequest,
  UpdateDataDestinationRequest,
  UpdateExportDestinationRequest,
  UpdateGoalRequest,
  UpdateOAuthAppReply,
  UpdateOAuthAppRequest,
  UpdateProfileMemberReply,
  UpdateProfileMemberRequest,
  UpdateProfileRequest,
  UpdateReportingCurrencyRequest,
  UpdateShortLinkRequest,
  UpdateSignInPolicyRequest,
  UpdateTrackingSettingsRequest,
  UpdateWebhookSubscriptionRequest,
  UploadChatMediaReply,
  User,
  UserToken,
  UtmHealth,
  Verification,
  VerifySenderDomainRequest,
  Visitor,
  WhatIfMeta,
  WhatIfReply,
  WithdrawDpaReply,
  WithdrawDpaRequest,
  Workspace,
  WorkspaceMeta,
  WorkspaceOrAppMeta,
  WorkspaceTopPerformerRow,
} from './types.ts'

/** Create an account and sign in */
export const signUp: Operation<{ body: SignUpRequest }, {
  /** The result */
  data: SignedIn
  meta: Meta
}> = { name: 'signUp', method: 'POST', path: '/api/v1/auth/sign-up' }

/** Sign in with email and password */
export const signIn: Operation<{ body: SignInRequest }, {
  /** The result */
  data: SignedIn | {
    /** What the sign-in still needs */
    second_factor: {
      /** For `POST /auth/second-factor` */
      challenge: string
      /** Any one of these is enough */
      kinds: Array<"totp" | "passkey" | "recovery_code">
      /** Options for the browser; null without a passkey */
      passkey: Record<string, unknown> | null
      /** When it expires */
      expires_at: string
    }
  }
  meta: Meta
}> = { name: 'signIn', method: 'POST', path: '/api/v1/auth/sign-in' }

/** End the current session */
export const signOut: Operation<{  }, null> = { name: 'signOut', method: 'POST', path: '/api/v1/auth/sign-out', takesKey: true }

/** The signed-in person */
export const getMe: Operation<{  }, {
  /** The result */
  data: GetMeReply
  meta: Meta
}> = { name: 'getMe', method: 'GET', path: '/api/v1/auth/me' }

/** Change the password; ends all other sessions and user tokens */
export const changePassword: Operation<{ body: ChangePasswordRequest }, null> = { name: 'changePassword', method: 'POST', path: '/api/v1/auth/password', takesKey: true }

/** Remove the password, so that a passkey signs in alone; ends all other sessions */
export const removePassword: Operation<{  }, null> = { name: 'removePassword', method: 'DELETE', path: '/api/v1/auth/password', takesKey: true }

/** Whether sign-up is open */
export const getAuthOptions: Operation<{  }, {
  /** The result */
  data: GetAuthOptionsReply
  meta: Meta
}> = { name: 'getAuthOptions', method: 'GET', path: '/api/v1/auth/options' }

/** Mail a link that verifies the address of the account */
export const sendVerification: Operation<{  }, {
  /** The result */
  data: null
  meta: Meta
}> = { name: 'sendVerification', method: 'POST', path: '/api/v1/auth/verification', takesKey: true }

/** Verify the address, or switch to the new one, with the token from the mail */
export const confirmAddress: Operation<{ body: ConfirmAddressRequest }, {
  /** The result */
  data: User
  meta: Meta
}> = { name: 'confirmAddress', method: 'POST', path: '/api/v1/auth/verification/confirm', takesKey: true }

/** Request a change of address; effective once the link mailed to it is confirmed */
export const changeEmail: Operation<{ body: ChangeEmailRequest }, {
  /** The result */
  data: null
  meta: Meta
}> = { name: 'changeEmail', method: 'POST', path: '/api/v1/auth/email', takesKey: true }

/** Mail a link that resets the password */
export const requestPasswordReset: Operation<{ body: RequestPasswordResetRequest }, {
  /** The result */
  data: null
  meta: Meta
}> = { name: 'requestPasswordReset', method: 'POST', path: '/api/v1/auth/password/reset-request' }

/** Set a new password with the token from the mail */
export const resetPassword: Operation<{ body: ResetPasswordRequest }, null> = { name: 'resetPassword', method: 'POST', path: '/api/v1/auth/password/reset' }

/** Mail a link that signs in without the password */
export const requestSignInLink: Operation<{ body: RequestSignInLinkRequest }, {
  /** The result */
  data: null
  meta: Meta
}> = { name: 'requestSignInLink', method: 'POST', path: '/api/v1/auth/sign-in-link' }

/** Sign in with the token from the mail */
export const signInByLink: Operation<{ body: SignInByLinkRequest }, {
  /** The result */
  data: SignedIn | {
    /** What the sign-in still needs */
    second_factor: {
      /** For `POST /auth/second-factor` */
      challenge: string
      /** Any one of these is enough */
      kinds: Array<"totp" | "passkey" | "recovery_code">
      /** Options for the browser; null without a passkey */
      passkey: Record<string, unknown> | null
      /** When it expires */
      expires_at: string
    }
  }
  meta: Meta
}> = { name: 'signInByLink', method: 'POST', path: '/api/v1/auth/sign-in-link/confirm' }

/** Finish a sign-in with the second factor */
export const finishSignIn: Operation<{ body: FinishSignInRequest }, {
  /** The result */
  data: SignedIn
  meta: Meta
}> = { name: 'finishSignIn', method: 'POST', path: '/api/v1/auth/second-factor' }

/** Options for a sign-in with a passkey alone */
export const offerPasskey: Operation<{  }, {
  /** The result */
  data: OfferPasskeyReply
  meta: Meta
}> = { name: 'offerPasskey', method: 'POST', path: '/api/v1/auth/passkeys/options' }

/** Sign in with a passkey alone */
export const signInByPasskey: Operation<{ body: SignInByPasskeyRequest }, {
  /** The result */
  data: SignedIn
  meta: Meta
}> = { name: 'signInByPasskey', method: 'POST', path: '/api/v1/auth/passkeys/sign-in' }

/** The second factors of the account */
export const getFactors: Operation<{  }, {
  /** The result */
  data: GetFactorsReply
  meta: Meta
}> = { name: 'getFactors', method: 'GET', path: '/api/v1/auth/factors' }

/** Start adding a second factor */
export const addFactor: Operation<{ body: AddFactorRequest }, {
  /** The result */
  data: AddFactorReply
  meta: Meta
}> = { name: 'addFactor', method: 'POST', path: '/api/v1/auth/factors', takesKey: true }

/** Finish adding a second factor; ends all other sessions */
export const confirmFactor: Operation<{ params: { factorId: string }; body?: ConfirmFactorRequest }, {
  /** The result */
  data: ConfirmFactorReply
  meta: Meta
}> = { name: 'confirmFactor', method: 'POST', path: '/api/v1/auth/factors/{factorId}/confirm', takesKey: true }

/** Rename a second factor */
export const renameFactor: Operation<{ params: { factorId: string }; body: RenameFactorRequest }, null> = { name: 'renameFactor', method: 'PATCH', path: '/api/v1/auth/factors/{factorId}', takesKey: true }

/** Remove a second factor; forgets remembered devices */
export const deleteFactor: Operation<{ params: { factorId: string } }, null> = { name: 'deleteFactor', method: 'DELETE', path: '/api/v1/auth/factors/{factorId}', takesKey: true }

/** Create new recovery codes; the old ones stop working */
export const createRecoveryCodes: Operation<{  }, {
  /** The result */
  data: CreateRecoveryCodesReply
  meta: Meta
}> = { name: 'createRecoveryCodes', method: 'POST', path: '/api/v1/auth/recovery-codes', takesKey: true }

/** Forget all remembered devices */
export const forgetDevices: Operation<{  }, null> = { name: 'forgetDevices', method: 'DELETE', path: '/api/v1/auth/remembered-devices', takesKey: true }

/** How the person can prove again who they are */
export const offerReauthentication: Operation<{  }, {
  /** The result */
  data: OfferReauthenticationReply
  meta: Meta
}> = { name: 'offerReauthentication', method: 'POST', path: '/api/v1/auth/reauthenticate/options', takesKey: true }

/** Prove again who the person at this session is */
export const reauthenticate: Operation<{ body: ReauthenticateRequest }, null> = { name: 'reauthenticate', method: 'POST', path: '/api/v1/auth/reauthenticate', takesKey: true }

/** Where the account is signed in */
export const listSessions: Operation<{  }, {
  /** The rows */
  data: Array<{
    /** Id of the session */
    id: string
    /** True for the session of this request */
    is_current: boolean
    /** Browser and operating system, as the browser reports them; null if unknown */
    device: string | null
    /** Network address at the sign-in; null if it was not recorded */
    address: string | null
    /** Country code of the address; null if unknown */
    country: string | null
    /** How the session was opened, such as `password`, `totp`, `passkey` */
    methods: Array<string>
    /** When it was created */
    created_at: string
    /** To about a minute */
    last_used_at: string
  }>
  meta: Meta
}> = { name: 'listSessions', method: 'GET', path: '/api/v1/auth/sessions' }

/** End all other sessions of the account */
export const endOtherSessions: Operation<{  }, null> = { name: 'endOtherSessions', method: 'DELETE', path: '/api/v1/auth/sessions', takesKey: true }

/** End one session of the account */
export const endSession: Operation<{ params: { sessionId: string } }, null> = { name: 'endSession', method: 'DELETE', path: '/api/v1/auth/sessions/{sessionId}', takesKey: true }

/** List the workspaces of the signed-in person */
export const listWorkspaces: Operation<{  }, {
  /** The rows */
  data: Array<Workspace>
  meta: Meta
}> = { name: 'listWorkspaces', method: 'GET', path: '/api/v1/workspaces' }

/** Create a workspace */
export const createWorkspace: Operation<{ body?: CreateWorkspaceRequest }, {
  /** The result */
  data: CreateWorkspaceReply
  meta: Meta
}> = { name: 'createWorkspace', method: 'POST', path: '/api/v1/workspaces', takesKey: true }

/** Archive a workspace for good */
export const archiveWorkspace: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: ArchiveWorkspaceReply
  meta: ArchiveWorkspaceMeta
}> = { name: 'archiveWorkspace', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}', takesKey: true }

/** Get plan, status and billing period of a workspace */
export const getSubscription: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: GetSubscriptionReply
  meta: WorkspaceMeta
}> = { name: 'getSubscription', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/subscription' }

/** Get the privacy settings of each profile */
export const getComplianceOverview: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: ComplianceOverview
  meta: WorkspaceMeta
}> = { name: 'getComplianceOverview', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/compliance-overview' }

/** Set whether the workspace is a healthcare agency */
export const updateComplianceOverview: Operation<{ params: { workspaceId: string }; body: UpdateComplianceOverviewRequest }, {
  /** The result */
  data: ComplianceOverview
  meta: WorkspaceMeta
}> = { name: 'updateComplianceOverview', method: 'PATCH', path: '/api/v1/workspaces/{workspaceId}/compliance-overview', takesKey: true }

/** Get the currency of reports across profiles */
export const getReportingCurrency: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: ReportingCurrency
  meta: WorkspaceMeta
}> = { name: 'getReportingCurrency', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/reporting-currency' }

/** Set the currency of reports across profiles */
export const updateReportingCurrency: Operation<{ params: { workspaceId: string }; body: UpdateReportingCurrencyRequest }, {
  /** The result */
  data: ReportingCurrency
  meta: WorkspaceMeta
}> = { name: 'updateReportingCurrency', method: 'PATCH', path: '/api/v1/workspaces/{workspaceId}/reporting-currency', takesKey: true }

/** Create a checkout link for a plan upgrade */
export const createCheckoutSession: Operation<{ params: { workspaceId: string }; body: CreateCheckoutSessionRequest }, {
  /** The result */
  data: CreateCheckoutSessionReply
  meta: WorkspaceMeta
}> = { name: 'createCheckoutSession', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/checkout-session', takesKey: true }

/** Open the payment provider's customer portal */
export const createBillingPortalSession: Operation<{ params: { workspaceId: string }; body?: CreateBillingPortalSessionRequest }, {
  /** The result */
  data: CreateBillingPortalSessionReply
  meta: WorkspaceMeta
}> = { name: 'createBillingPortalSession', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/billing-portal-session', takesKey: true }

/** Choose a plan that the store platform bills */
export const selectStorePlan: Operation<{ params: { workspaceId: string }; body: SelectStorePlanRequest }, {
  /** The result */
  data: SelectStorePlanReply
  meta: WorkspaceMeta
}> = { name: 'selectStorePlan', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/storefront-plan-selection', takesKey: true }

/** List the profiles of a workspace that the person can open */
export const listWorkspaceProfiles: Operation<{ params: { workspaceId: string } }, {
  /** The rows */
  data: Array<Profile>
  meta: ListWorkspaceProfilesMeta
}> = { name: 'listWorkspaceProfiles', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/profiles' }

/** List the profiles of the person or the app */
export const listProfiles: Operation<{ query?: { workspace_id?: string } }, {
  /** The rows */
  data: Array<Profile>
  meta: Meta
}> = { name: 'listProfiles', method: 'GET', path: '/api/v1/profiles' }

/** Create a profile */
export const createProfile: Operation<{ body: CreateProfileRequest }, {
  /** The result */
  data: CreateProfileReply
  meta: Meta
}> = { name: 'createProfile', method: 'POST', path: '/api/v1/profiles', takesKey: true }

/** List the setup steps of a profile and whether they are done */
export const getReadiness: Operation<{ params: { profileId: string } }, {
  /** The result */
  data: GetReadinessReply
  meta: GetReadinessMeta
}> = { name: 'getReadiness', method: 'GET', path: '/api/v1/profiles/{profileId}/readiness' }

/** Rename a profile, or set its time zone, currency and country */
export const updateProfile: Operation<{ params: { profileId: string }; body?: UpdateProfileRequest }, {
  /** The result */
  data: Profile
  meta: Meta
}> = { name: 'updateProfile', method: 'PATCH', path: '/api/v1/profiles/{profileId}', takesKey: true }

/** Archive a profile that the app provisioned */
export const archiveProfile: Operation<{ params: { profileId: string } }, {
  /** The result */
  data: ArchiveProfileReply
  meta: AppMeta
}> = { name: 'archiveProfile', method: 'DELETE', path: '/api/v1/profiles/{profileId}', takesKey: true }

/** Adopt an existing profile */
export const adoptProfile: Operation<{ params: { profileId: string }; body?: AdoptProfileRequest }, {
  /** The result */
  data: AdoptProfileReply
  meta: AppMeta
}> = { name: 'adoptProfile', method: 'POST', path: '/api/v1/profiles/{profileId}/adopt', takesKey: true }

/** Switch a feature of a profile on or off */
export const setEntitlement: Operation<{ params: { profileId: string; feature: "attribution" }; body: SetEntitlementRequest }, {
  /** The result */
  data: SetEntitlementReply
  meta: AppMeta
}> = { name: 'setEntitlement', method: 'PUT', path: '/api/v1/profiles/{profileId}/entitlements/{feature}', takesKey: true }

/** List API keys of a workspace’s profiles */
export const listApiKeys: Operation<{ params: { workspaceId: string }; query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<ApiKey>
  meta: WorkspaceMeta
}> = { name: 'listApiKeys', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/api-keys' }

/** Create an API key for one profile */
export const createApiKey: Operation<{ params: { workspaceId: string }; body: CreateApiKeyRequest }, {
  /** The result */
  data: MintedApiKey
  meta: WorkspaceMeta
}> = { name: 'createApiKey', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/api-keys', takesKey: true }

/** Revoke an API key immediately */
export const revokeApiKey: Operation<{ params: { workspaceId: string; id: string }; body?: RevokeApiKeyRequest }, {
  /** The result */
  data: RevokeApiKeyReply
  meta: WorkspaceMeta
}> = { name: 'revokeApiKey', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/api-keys/{id}/revoke', takesKey: true }

/** Rotate an API key */
export const rotateApiKey: Operation<{ params: { workspaceId: string; id: string }; body?: RotateApiKeyRequest }, {
  /** The result */
  data: RotateApiKeyReply
  meta: WorkspaceMeta
}> = { name: 'rotateApiKey', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/api-keys/{id}/rotate', takesKey: true }

/** Count requests and errors per API key */
export const getApiUsage: Operation<{ params: { workspaceId: string }; query?: { profile_id?: string; days?: string } }, {
  /** The result */
  data: GetApiUsageReply
  meta: WorkspaceMeta
}> = { name: 'getApiUsage', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/api-usage' }

/** List user tokens and authorized clients of the signed-in person */
export const listUserTokens: Operation<{  }, {
  /** The rows */
  data: Array<UserToken>
  meta: Meta
}> = { name: 'listUserTokens', method: 'GET', path: '/api/v1/user-tokens' }

/** Create a user token for all profiles of the signed-in person */
export const createUserToken: Operation<{ body: CreateUserTokenRequest }, {
  /** The result */
  data: CreateUserTokenReply
  meta: Meta
}> = { name: 'createUserToken', method: 'POST', path: '/api/v1/user-tokens', takesKey: true }

/** Revoke a user token or the access of a client */
export const revokeUserToken: Operation<{ params: { id: string } }, null> = { name: 'revokeUserToken', method: 'DELETE', path: '/api/v1/user-tokens/{id}', takesKey: true }

/** List the people of a workspace */
export const listMembers: Operation<{ params: { workspaceId: string } }, {
  /** The rows */
  data: Array<Member>
  meta: WorkspaceOrAppMeta
}> = { name: 'listMembers', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/members' }

/** Add or update a member */
export const putMember: Operation<{ params: { workspaceId: string }; body: PutMemberRequest }, {
  /** The result */
  data: Member
  meta: WorkspaceOrAppMeta
}> = { name: 'putMember', method: 'PUT', path: '/api/v1/workspaces/{workspaceId}/members', takesKey: true }

/** Remove a person from the workspace and its profiles */
export const removeMember: Operation<{ params: { workspaceId: string; userId: string } }, null> = { name: 'removeMember', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/members/{userId}', takesKey: true }

/** List pending invitations to the workspace */
export const listInvitations: Operation<{ params: { workspaceId: string } }, {
  /** The rows */
  data: Array<Invitation>
  meta: WorkspaceMeta
}> = { name: 'listInvitations', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/invitations' }

/** Invite a person to the workspace by mail */
export const inviteMember: Operation<{ params: { workspaceId: string }; body: InviteMemberRequest }, {
  /** The result */
  data: InviteMemberReply
  meta: WorkspaceMeta
}> = { name: 'inviteMember', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/invitations', takesKey: true }

/** Revoke a pending invitation to the workspace */
export const revokeInvitation: Operation<{ params: { workspaceId: string; invitationId: string } }, null> = { name: 'revokeInvitation', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/invitations/{invitationId}', takesKey: true }

/** List pending invitations to one profile */
export const listProfileInvitations: Operation<{ params: { workspaceId: string; profileId: string } }, {
  /** The rows */
  data: Array<Invitation>
  meta: WorkspaceMeta
}> = { name: 'listProfileInvitations', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/profiles/{profileId}/invitations' }

/** Invite a person to one profile by mail */
export const inviteProfileMember: Operation<{ params: { workspaceId: string; profileId: string }; body: InviteProfileMemberRequest }, {
  /** The result */
  data: InviteProfileMemberReply
  meta: WorkspaceMeta
}> = { name: 'inviteProfileMember', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/profiles/{profileId}/invitations', takesKey: true }

/** Revoke a pending invitation to one profile */
export const revokeProfileInvitation: Operation<{ params: { workspaceId: string; profileId: string; invitationId: string } }, null> = { name: 'revokeProfileInvitation', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/profiles/{profileId}/invitations/{invitationId}', takesKey: true }

/** Accept an invitation with the token from the mail */
export const acceptInvitation: Operation<{ body: AcceptInvitationRequest }, {
  /** The result */
  data: AcceptInvitationReply
  meta: Meta
}> = { name: 'acceptInvitation', method: 'POST', path: '/api/v1/invitations/accept', takesKey: true }

/** Change the role or the permissions of a profile member */
export const updateProfileMember: Operation<{ params: { workspaceId: string; profileId: string; membershipId: string }; body?: UpdateProfileMemberRequest }, {
  /** The result */
  data: UpdateProfileMemberReply
  meta: WorkspaceMeta
}> = { name: 'updateProfileMember', method: 'PATCH', path: '/api/v1/workspaces/{workspaceId}/profiles/{profileId}/members/{membershipId}', takesKey: true }

/** Remove a person from one profile */
export const removeProfileMember: Operation<{ params: { workspaceId: string; profileId: string; membershipId: string } }, null> = { name: 'removeProfileMember', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/profiles/{profileId}/members/{membershipId}', takesKey: true }

/** What the workspace requires of the sign-in of its members */
export const getSignInPolicy: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: SignInPolicy
  meta: WorkspaceMeta
}> = { name: 'getSignInPolicy', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/sign-in-policy' }

/** Require a second factor of all members, or no longer */
export const updateSignInPolicy: Operation<{ params: { workspaceId: string }; body: UpdateSignInPolicyRequest }, {
  /** The result */
  data: SignInPolicy
  meta: WorkspaceMeta
}> = { name: 'updateSignInPolicy', method: 'PUT', path: '/api/v1/workspaces/{workspaceId}/sign-in-policy', takesKey: true }

/** Remove the second factors of a member who lost them */
export const resetMemberFactors: Operation<{ params: { workspaceId: string; userId: string } }, null> = { name: 'resetMemberFactors', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/members/{userId}/factors', takesKey: true }

/** List partner apps of the workspace, with their DPA status */
export const listOAuthApps: Operation<{ params: { workspaceId: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the partner app */
    id: string
    /** Public id of the app */
    client_id: string
    /** Name of the partner app */
    name: string
    /** URL of the app’s logo; null if it has none */
    logo_url: string | null
    /** Allowed redirect URIs after consent */
    redirect_uris: Array<string>
    /** Origins that a hand-off may return to */
    allowed_return_origins: Array<string>
    /** Scopes that the app may request */
    allowed_scopes: Array<string>
    /** The data-processing agreement */
    dpa: {
      /** Whether the data-processing agreement is signed */
      status: "not_accepted" | "accepted" | "withdrawn"
      /** Version of the agreement that was signed; null if none was */
      version: string | null
      /** When it was accepted; null until then */
      accepted_at: string | null
      /** When it was withdrawn; null if it was not */
      withdrawn_at: string | null
    }
    /** Valid secrets, at most two */
    secrets: Array<{
      /** First and last characters, to recognise it */
      hint: string
      /** When it was created */
      created_at: string
      /** When it expires; null if it does not */
      expires_at: string | null
    }>
    /** When it was created */
    created_at: string
    /** When it was last changed */
    updated_at: string
  }>
  meta: WorkspaceMeta
}> = { name: 'listOAuthApps', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/oauth-apps' }

/** Register a partner app */
export const createOAuthApp: Operation<{ params: { workspaceId: string }; body: CreateOAuthAppRequest }, {
  /** The result */
  data: CreateOAuthAppReply
  meta: WorkspaceMeta
}> = { name: 'createOAuthApp', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/oauth-apps', takesKey: true }

/** Change the registration of a partner app */
export const updateOAuthApp: Operation<{ params: { workspaceId: string; appId: string }; body?: UpdateOAuthAppRequest }, {
  /** The result */
  data: UpdateOAuthAppReply
  meta: WorkspaceMeta
}> = { name: 'updateOAuthApp', method: 'PATCH', path: '/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}', takesKey: true }

/** Rotate the app’s secret */
export const rotateOAuthAppSecret: Operation<{ params: { workspaceId: string; appId: string }; body?: RotateOAuthAppSecretRequest }, {
  /** The result */
  data: RotateOAuthAppSecretReply
  meta: WorkspaceMeta
}> = { name: 'rotateOAuthAppSecret', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}/rotate-secret', takesKey: true }

/** Accept the data-processing agreement for profiles the app provisions */
export const acceptDpa: Operation<{ params: { workspaceId: string; appId: string }; body?: AcceptDpaRequest }, {
  /** The result */
  data: AcceptDpaReply
  meta: WorkspaceMeta
}> = { name: 'acceptDpa', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}/dpa/accept', takesKey: true }

/** Withdraw the acceptance of the data-processing agreement */
export const withdrawDpa: Operation<{ params: { workspaceId: string; appId: string }; body?: WithdrawDpaRequest }, {
  /** The result */
  data: WithdrawDpaReply
  meta: WorkspaceMeta
}> = { name: 'withdrawDpa', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}/dpa/withdraw', takesKey: true }

/** List valid authorizations of partner apps on the workspace’s profiles */
export const listConnectedApps: Operation<{ params: { workspaceId: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the authorization */
    id: string
    /** The authorised app */
    app: {
      /** Id of the partner app */
      id: string
      /** Public id of the app */
      client_id: string
      /** Name of the partner app */
      name: string
      /** URL of the app’s logo; null if it has none */
      logo_url: string | null
    }
    /** Id of the profile */
    profile_id: string
    /** Name of the profile */
    profile_name: string
    /** Grant of the app, such as `attribution` */
    grant: string
    /** Scopes of the credential */
    scopes: Array<string>
    /** Id of the user who authorised it; null if the app created the profile */
    authorized_by_user_id: string | null
    /** True if the app created or adopted the profile and still manages it */
    governs: boolean
    /** Resources that the app created under this authorization; they stop working when it is revoked */
    created: Array<{
      /** What the app created */
      kind: "export_destination" | "tracking_domain" | "tracking_key" | "webhook" | "customer_list" | "connection" | "alert"
      /** Id of the object that the app created */
      id: string
      /** Name of the object that the app created */
      name: string
    }>
    /** When it was created */
    created_at: string
  }>
  meta: WorkspaceMeta
}> = { name: 'listConnectedApps', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/connected-apps' }

/** Revoke an authorization and all keys created with it */
export const revokeConnectedApp: Operation<{ params: { workspaceId: string; id: string } }, null> = { name: 'revokeConnectedApp', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/connected-apps/{id}', takesKey: true }

/** Get the branding of a workspace */
export const getBranding: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: Branding
  meta: WorkspaceMeta
}> = { name: 'getBranding', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/branding' }

/** Replace the branding, except the logo */
export const putBranding: Operation<{ params: { workspaceId: string }; body?: PutBrandingRequest }, {
  /** The result */
  data: Branding
  meta: WorkspaceMeta
}> = { name: 'putBranding', method: 'PUT', path: '/api/v1/workspaces/{workspaceId}/branding', takesKey: true }

/** Upload the logo */
export const uploadLogo: Operation<{ params: { workspaceId: string }; raw?: RawBody<`image/${string}` | "multipart/form-data" | "application/octet-stream"> }, {
  /** The result */
  data: Branding
  meta: WorkspaceMeta
}> = { name: 'uploadLogo', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/branding/logo', takesKey: true }

/** Remove the logo */
export const removeLogo: Operation<{ params: { workspaceId: string } }, null> = { name: 'removeLogo', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/branding/logo', takesKey: true }

/** List alert rules with their state */
export const listAlerts: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<Alert>
  meta: ProfileMeta
}> = { name: 'listAlerts', method: 'GET', path: '/api/v1/alerts' }

/** Create an alert rule on a figure or on findings of the doctor */
export const createAlert: Operation<{ query?: { profile_id?: string }; body: CreateAlertRequest }, {
  /** The result */
  data: Alert
  meta: ProfileMeta
}> = { name: 'createAlert', method: 'POST', path: '/api/v1/alerts', takesKey: true }

/** Rename, change, pause or mute an alert rule */
export const updateAlert: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UpdateAlertRequest }, {
  /** The result */
  data: Alert
  meta: ProfileMeta
}> = { name: 'updateAlert', method: 'PATCH', path: '/api/v1/alerts/{id}', takesKey: true }

/** Delete an alert rule */
export const deleteAlert: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteAlert', method: 'DELETE', path: '/api/v1/alerts/{id}', takesKey: true }

/** Preview how often a rule would have fired in the last 90 days */
export const previewAlert: Operation<{ query?: { profile_id?: string }; body: PreviewAlertRequest }, {
  /** The result */
  data: {
    /** The evaluated days, with the figure of each */
    days: number
    /** Days on which it would have fired */
    fired: Array<{
      /** Day, YYYY-MM-DD, in the time zone of the profile */
      day: string
      /** First day on which the condition no longer held; null while it fires */
      recovered_on: string | null
      /** Value of the monitored figure at that time */
      figure: AlertFigure
    }>
    /** Days without enough data for a verdict */
    unknown_days: number
    /** Figures of the newest closed day */
    latest: AlertFigure
  } | null
  meta: ProfileMeta
}> = { name: 'previewAlert', method: 'POST', path: '/api/v1/alerts/preview', takesKey: true }

/** List fired and recovered alerts with their figures */
export const listAlertLog: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<AlertLogEntry>
  meta: ProfileMeta
}> = { name: 'listAlertLog', method: 'GET', path: '/api/v1/alerts/log' }

/** What changed, in at most five sentences */
export const getBrief: Operation<{ query: { date_from: string; date_to: string; model?: ModelParam; language?: "en" | "es"; as_of?: string; profile_id?: string } }, {
  /** The result */
  data: GetBriefReply
  meta: GetBriefMeta
}> = { name: 'getBrief', method: 'GET', path: '/api/v1/reports/brief' }

/** List your mailed briefs, and the webhooks that receive briefs */
export const listBriefReceivers: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: ListBriefReceiversReply
  meta: WorkspaceMeta
}> = { name: 'listBriefReceivers', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/briefs' }

/** Choose when a profile’s brief is mailed to you */
export const putBriefSubscription: Operation<{ params: { workspaceId: string }; body: PutBriefSubscriptionRequest }, {
  /** The result */
  data: BriefSubscription
  meta: WorkspaceMeta
}> = { name: 'putBriefSubscription', method: 'PUT', path: '/api/v1/workspaces/{workspaceId}/briefs/subscription', takesKey: true }

/** Send a profile’s briefs to a chat channel */
export const createBriefWebhook: Operation<{ params: { workspaceId: string }; body: CreateBriefWebhookRequest }, {
  /** The result */
  data: BriefWebhook
  meta: WorkspaceMeta
}> = { name: 'createBriefWebhook', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/briefs/webhooks', takesKey: true }

/** Delete a webhook for briefs */
export const deleteBriefWebhook: Operation<{ params: { workspaceId: string; webhookId: string } }, null> = { name: 'deleteBriefWebhook', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/briefs/webhooks/{webhookId}', takesKey: true }

/** Get the domain that reports are sent from */
export const getSenderDomain: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: SenderDomain | null
  meta: WorkspaceMeta
}> = { name: 'getSenderDomain', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/sender-domain' }

/** Register the domain that reports are sent from */
export const registerSenderDomain: Operation<{ params: { workspaceId: string }; body: RegisterSenderDomainRequest }, {
  /** The result */
  data: SenderDomain
  meta: WorkspaceMeta
}> = { name: 'registerSenderDomain', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/sender-domain', takesKey: true }

/** Remove the sending domain */
export const removeSenderDomain: Operation<{ params: { workspaceId: string } }, null> = { name: 'removeSenderDomain', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/sender-domain', takesKey: true }

/** Check the DNS records now */
export const verifySenderDomain: Operation<{ params: { workspaceId: string }; body?: VerifySenderDomainRequest }, {
  /** The result */
  data: SenderDomain
  meta: WorkspaceMeta
}> = { name: 'verifySenderDomain', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/sender-domain/verify', takesKey: true }

/** Count new items per tab of the console */
export const getTabCounts: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: GetTabCountsReply
  meta: WorkspaceMeta
}> = { name: 'getTabCounts', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/tab-counts' }

/** Mark a tab as seen */
export const markTabSeen: Operation<{ params: { workspaceId: string; tab: "top_performers" | "recommendations" | "experiments" | "reports" | "patterns" | "proposals" | "connections" }; body?: MarkTabSeenRequest }, {
  /** The result */
  data: MarkTabSeenReply
  meta: WorkspaceMeta
}> = { name: 'markTabSeen', method: 'PUT', path: '/api/v1/workspaces/{workspaceId}/tab-counts/{tab}', takesKey: true }

/** Generate reports for some or all profiles, and optionally mail them */
export const generateReports: Operation<{ params: { workspaceId: string }; body: GenerateReportsRequest }, {
  /** The result */
  data: GenerateReportsReply
  meta: WorkspaceMeta
}> = { name: 'generateReports', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/reports/bulk-generate', takesKey: true }

/** List reports, schedules and batches of a workspace */
export const getReportsHub: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: GetReportsHubReply
  meta: WorkspaceMeta
}> = { name: 'getReportsHub', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/reports/hub' }

/** Download the file of a report */
export const downloadReport: Operation<{ params: { workspaceId: string; reportId: string } }, Blob> = { name: 'downloadReport', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/reports/{reportId}/download', isFile: true }

/** Approve a report and mail it */
export const approveReport: Operation<{ params: { workspaceId: string; reportId: string }; body?: ApproveReportRequest }, {
  /** The result */
  data: ClientReport
  meta: WorkspaceMeta
}> = { name: 'approveReport', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/reports/{reportId}/approve', takesKey: true }

/** Change the report schedules of some or all profiles */
export const patchSchedules: Operation<{ params: { workspaceId: string }; body: PatchSchedulesRequest }, {
  /** The rows */
  data: Array<{
    /** Id of the profile */
    profile_id: string
    /** Whether the schedule was changed */
    status: "created" | "updated" | "refused"
    /** Why the schedule was not changed; null if it was */
    reason: "recipients_required" | null
    /** Schedule; null if there is none */
    schedule: ReportSchedule | null
  }>
  meta: WorkspaceMeta
}> = { name: 'patchSchedules', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/reports/schedules/bulk', takesKey: true }

/** List live links for clients */
export const listLiveLinks: Operation<{ params: { workspaceId: string } }, {
  /** The rows */
  data: Array<LiveLink>
  meta: WorkspaceMeta
}> = { name: 'listLiveLinks', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/live-links' }

/** Create a page of live figures for a client */
export const createLiveLink: Operation<{ params: { workspaceId: string }; body: NewLiveLink }, {
  /** The result */
  data: LiveLink
  meta: WorkspaceMeta
}> = { name: 'createLiveLink', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/live-links', takesKey: true }

/** Revoke a live link */
export const revokeLiveLink: Operation<{ params: { workspaceId: string; liveLinkId: string } }, null> = { name: 'revokeLiveLink', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/live-links/{liveLinkId}', takesKey: true }

/** List the clients of a workspace with figures, pacing, health and last report */
export const listClients: Operation<{ params: { workspaceId: string }; query: { date_from: string; date_to: string; model?: ModelParam; currency?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the profile */
    profile_id: string
    /** Name of the profile */
    name: string
    /** True for sample data */
    is_demo: boolean
    /** IANA time zone, for example Europe/Madrid */
    timezone: string
    /** Tags of the client */
    tags: Array<string>
    /** Currency of the amounts in this row */
    currency: string
    /** Ad spend; null if the exchange rate is missing */
    spend: number | null
    /** All cash payments of the days, less refunds; null if an exchange rate is missing */
    revenue: number | null
    /** Revenue credited to campaigns; null if an exchange rate is missing */
    credited_revenue: number | null
    /** Number of payments */
    payments: number
    /** Revenue divided by spend; null without spend */
    total_roas: number | null
    /** Ad ROAS: credited revenue divided by spend; null without spend */
    roas: number | null
    /** Number of facts or days left out of the amounts because an exchange rate is missing */
    fx_missing: number
    /** Figures of the preceding period of the same length */
    previous: {
      /** Ad spend; null if the exchange rate is missing */
      spend: number | null
      /** All cash payments of the days, less refunds; null if an exchange rate is missing */
      revenue: number | null
      /** Revenue credited to campaigns; null if an exchange rate is missing */
      credited_revenue: number | null
      /** Number of payments */
      payments: number
      /** Revenue divided by spend; null without spend */
      total_roas: number | null
      /** Ad ROAS: credited revenue divided by spend; null without spend */
      roas: number | null
    }
    /** This month over all ad platforms, as in GET …/pacing; null without spend or budget */
    pacing: {
      /** Status of the platform that is furthest from its budget */
      status: "under" | "on" | "over" | "no_budget"
      /** Spend so far as a percentage of the planned spend to date; null without a budget */
      pacing_pct: number | null
      /** Budget of the month in the currency of the account; null without one */
      budget: number | null
      /** Ad spend since the start of the month; null if an exchange rate is missing */
      spend_mtd: number | null
    } | null
    /** State of its data */
    health: {
      /** unknown: never checked */
      status: "ok" | "warning" | "problem" | "unknown"
      /** Number of its connected accounts */
      connections: number
      /** Connections that need to be reconnected */
      broken_connections: number
      /** Open findings of the doctor */
      findings: number
    }
    /** Broken connections, open findings and firing alerts */
    alerts: number
    /** Number of open recommendations */
    recommendations: number
    /** Latest report; null if there is none */
    last_report: {
      /** Id of the report */
      report_id: string
      /** How far the report is */
      status: string
      /** When it was created */
      created_at: string
      /** When it was sent; null until then */
      sent_at: string | null
    } | null
  }>
  /** Totals of all rows except the demo; null if the rows have several currencies */
  totals: {
    /** Ad spend; null if the exchange rate is missing */
    spend: number | null
    /** All cash payments of the days, less refunds; null if an exchange rate is missing */
    revenue: number | null
    /** Revenue credited to campaigns; null if an exchange rate is missing */
    credited_revenue: number | null
    /** Number of payments */
    payments: number
    /** Revenue divided by spend; null without spend */
    total_roas: number | null
    /** Ad ROAS: credited revenue divided by spend; null without spend */
    roas: number | null
    /** ISO 4217 code of the currency */
    currency: string
    /** Figures of the preceding period of the same length */
    previous: {
      /** Ad spend; null if the exchange rate is missing */
      spend: number | null
      /** All cash payments of the days, less refunds; null if an exchange rate is missing */
      revenue: number | null
      /** Revenue credited to campaigns; null if an exchange rate is missing */
      credited_revenue: number | null
      /** Number of payments */
      payments: number
      /** Revenue divided by spend; null without spend */
      total_roas: number | null
      /** Ad ROAS: credited revenue divided by spend; null without spend */
      roas: number | null
    }
  } | null
  meta: ListClientsMeta
}> = { name: 'listClients', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/clients' }

/** Add tags to clients or remove tags */
export const tagClients: Operation<{ params: { workspaceId: string }; body: TagClientsRequest }, {
  /** The rows */
  data: Array<{
    /** Id of the profile */
    profile_id: string
    /** Tags of the client */
    tags: Array<string>
  }>
  meta: WorkspaceMeta
}> = { name: 'tagClients', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/clients/tags', takesKey: true }

/** Recorded changes, newest first */
export const listChanges: Operation<{ params: { workspaceId: string }; query?: { cursor?: string; limit?: number; profile_id?: string; action?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the entry */
    id: string
    /** What was done, for example `goal.created` */
    action: string
    /** Name of what was changed; null if it has none */
    subject: string | null
    /** Id of the profile; null if it belongs to none */
    profile_id: string | null
    /** Who did it */
    actor: {
      /** Who acted: a person, an API key, an app or the service */
      kind: "user" | "app" | "api_key" | "service"
      /** Id of the person, API key or app; null for the service */
      id: string | null
    }
    /** What was changed; for settings, the values before and after */
    detail: Record<string, unknown>
    /** Id of the request, also in the header X-Request-Id; null if no request caused it */
    request_id: string | null
    /** When it happened */
    occurred_at: string
  }>
  pagination: Pagination
  meta: WorkspaceMeta
}> = { name: 'listChanges', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/audit' }

/** Views of personal data, newest first */
export const listPersonAccess: Operation<{ params: { workspaceId: string }; query?: { cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the entry */
    id: string
    /** Id of the profile */
    profile_id: string
    /** Who did it */
    actor: {
      /** Who acted: a person, an API key, an app or the service */
      kind: "user" | "app" | "api_key" | "service"
      /** Id of the person, API key or app; null for the service */
      id: string | null
    }
    /** Operation whose response showed the people */
    route: string
    /** Ids of customers */
    customer_ids: Array<string>
    /** Number of people shown */
    row_count: number
    /** Id of the request, also in the header X-Request-Id; null if no request caused it */
    request_id: string | null
    /** When it happened */
    occurred_at: string
  }>
  pagination: Pagination
  meta: WorkspaceMeta
}> = { name: 'listPersonAccess', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/pii-access-log' }

/** Get the settings for assistants (MCP) */
export const getMcpSettings: Operation<{ params: { workspaceId: string } }, {
  /** The result */
  data: McpSettings
  meta: WorkspaceMeta
}> = { name: 'getMcpSettings', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/mcp-settings' }

/** Replace the settings for assistants (MCP) */
export const putMcpSettings: Operation<{ params: { workspaceId: string }; body: PutMcpSettingsRequest }, {
  /** The result */
  data: McpSettings
  meta: WorkspaceMeta
}> = { name: 'putMcpSettings', method: 'PUT', path: '/api/v1/workspaces/{workspaceId}/mcp-settings', takesKey: true }

/** List previews and writes of assistants */
export const listMcpWritebacks: Operation<{ params: { workspaceId: string }; query?: { cursor?: string; limit?: number; profile_id?: string; tool?: string; outcome?: "previewed" | "applied" | "no_change" | "refused" | "failed" } }, {
  /** The rows */
  data: Array<McpWriteback>
  pagination: Pagination
  meta: WorkspaceMeta
}> = { name: 'listMcpWritebacks', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/mcp-writeback-audits' }

/** Create a link that a person follows to connect an account */
export const mintHandoff: Operation<{ params: { provider: "social_ads" | "engine_ads" | "engine_search_console" | "engine_calendar" | "external_calendar" | "microsoft_ads" | "crmsuite" | "cardpay" | "regionalpay" | "storefront" | "woocommerce" | "hubspot" | "linkedin_ads" | "tiktok_ads" | "gmail" | "microsoft_mail" | "mailbox" }; query?: { profile_id?: string }; body?: MintHandoffRequest }, {
  /** The result */
  data: Handoff
  meta: ProfileMeta
}> = { name: 'mintHandoff', method: 'POST', path: '/api/v1/connections/{provider}/handoff', takesKey: true }

/** Poll a hand-off */
export const getHandoff: Operation<{ params: { id: string } }, {
  /** The result */
  data: Handoff
  meta: GetHandoffMeta
}> = { name: 'getHandoff', method: 'GET', path: '/api/v1/handoffs/{id}' }

/** Report one outcome from a server */
export const sendEvent: Operation<{ query?: { profile_id?: string }; body?: EventInput }, {
  /** The result */
  data: EventResult
  meta: ProfileMeta
}> = { name: 'sendEvent', method: 'POST', path: '/api/v1/events', takesKey: true, isEvent: true }

/** Report up to 1000 outcomes; valid ones are stored */
export const sendEvents: Operation<{ query?: { profile_id?: string }; body: SendEventsRequest }, {
  /** The result */
  data: SendEventsReply
  meta: ProfileMeta
}> = { name: 'sendEvents', method: 'POST', path: '/api/v1/events/batch', takesKey: true, batch: 'events' }

/** Look up an event that was sent, accepted or refused */
export const lookUpEvents: Operation<{ query?: { event_id?: string; idempotency_key?: string; order_id?: string; request_id?: string; profile_id?: string } }, {
  /** The result */
  data: LookUpEventsReply
  meta: ProfileMeta
}> = { name: 'lookUpEvents', method: 'GET', path: '/api/v1/events/lookup' }

/** Retract an event that was sent by mistake */
export const retractEvent: Operation<{ query?: { profile_id?: string }; body: RetractEventRequest }, {
  /** The result */
  data: RetractEventReply
  meta: ProfileMeta
}> = { name: 'retractEvent', method: 'POST', path: '/api/v1/events/retractions', takesKey: true }

/** List conversion goals */
export const listGoals: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<Goal>
  meta: ProfileMeta
}> = { name: 'listGoals', method: 'GET', path: '/api/v1/goals' }

/** Create a conversion goal; past events count too */
export const createGoal: Operation<{ query?: { profile_id?: string }; body: CreateGoalRequest }, {
  /** The result */
  data: Goal
  meta: ProfileMeta
}> = { name: 'createGoal', method: 'POST', path: '/api/v1/goals', takesKey: true }

/** Change a conversion goal; past events are reprocessed */
export const updateGoal: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UpdateGoalRequest }, {
  /** The result */
  data: Goal
  meta: ProfileMeta
}> = { name: 'updateGoal', method: 'PATCH', path: '/api/v1/goals/{id}', takesKey: true }

/** Delete a conversion goal and its conversions */
export const deleteGoal: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteGoal', method: 'DELETE', path: '/api/v1/goals/{id}', takesKey: true }

/** Set the weekly or monthly target of a goal */
export const setGoalTarget: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: SetGoalTargetRequest }, {
  /** The result */
  data: SetGoalTargetReply
  meta: ProfileMeta
}> = { name: 'setGoalTarget', method: 'PUT', path: '/api/v1/goals/{id}/target', takesKey: true }

/** Import daily spend of a platform without a connector */
export const importSpend: Operation<{ query?: { profile_id?: string }; body?: ImportSpendRequest; raw?: RawBody<"text/csv"> }, {
  /** The result */
  data: ImportSpendReply
  meta: ProfileMeta
}> = { name: 'importSpend', method: 'POST', path: '/api/v1/imports/spend', takesKey: true }

/** Spend, return and credited conversions per campaign, ad set or ad */
export const listCampaigns: Operation<{ query: { date_from: string; date_to: string; as_of?: string; model?: ModelParam; limit?: number; cursor?: string; level?: AdLevel; parent_id?: string; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the campaign */
    campaign_id: string
    /** The platform’s id */
    platform_id: string
    /** Name of the campaign; null if the platform has not reported it */
    campaign_name: string | null
    /** Payments in which the row has a part */
    outcome_count: number
    /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
    outcome_credit: number
    /** Credited cash less refunds; null if no exchange rate is known */
    outcome_value: number | null
    /** Conversions of all types that the row has credit for */
    attributed_outcome_count: number
    /** `attributed_outcome_count` by `outcome_type` */
    attributed_outcomes_by_type: OutcomesByType
    /** Amounts left out because their exchange rate is missing */
    fx_missing: number
    /** Null if no exchange rate is known */
    spend: number | null
    /** `outcome_value` divided by `spend`; null without spend */
    roas: number | null
    /** Impressions, as the platform reports them */
    impressions?: number
    /** Clicks, as the platform reports them */
    clicks?: number
    /** Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up */
    reach?: number | null
    /** Clicks per 100 impressions; null without impressions */
    ctr?: number | null
    /** Spend per 1,000 impressions; null without impressions */
    avg_cpm?: number | null
    /** Spend per click; null without clicks */
    avg_cpc?: number | null
    /** Conversations started within 7 days of a click, as the platform reports them; null if it does not */
    messaging_conversations_started_7d?: number | null
    /** campaign, ad_set or ad */
    entity_level?: AdLevel
    /** Name of the parent campaign or ad set; null for campaigns */
    parent_name?: string | null
    /** `spend` divided by `outcome_count`; null without payments or spend */
    cac?: number | null
    /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
    new_customer_count?: number
    /** Cash of these payments less refunds; null if an exchange rate is missing */
    new_customer_value?: number | null
    /** `spend` divided by `new_customer_count`; null without new customers or spend */
    new_customer_cac?: number | null
    /** `new_customer_value` divided by `spend`; null without spend */
    new_customer_roas?: number | null
    /** Status of the campaign, ad set or ad at the platform; null if it does not report one */
    status?: string | null
    /** Goal of the campaign, as the platform names it; null if it does not report one */
    objective?: string | null
    /** Budget per day in the currency of the account; null if there is none */
    daily_budget?: number | null
    /** Changes that the connected platform currently accepts; empty for imported entities */
    platform_actions?: Array<"pause" | "resume" | "budget">
    /** The platform’s id of the campaign; null if it is not known */
    campaign_external_id?: string | null
    /** The platform’s id of the ad set; null if it is not known */
    ad_set_external_id?: string | null
  }>
  total: CampaignTotal
  pagination: Pagination
  meta: ListCampaignsMeta
}> = { name: 'listCampaigns', method: 'GET', path: '/api/v1/campaigns' }

/** Daily spend, impressions and clicks of up to 10 entities */
export const campaignTrend: Operation<{ query: { date_from: string; date_to: string; as_of?: string; entity_ids: string; level?: AdLevel; model?: ModelParam; profile_id?: string } }, {
  /** The rows */
  data: Array<TrendRow>
  meta: ReportMeta
}> = { name: 'campaignTrend', method: 'GET', path: '/api/v1/campaigns/trend' }

/** Daily delivery of up to 10 ads, with conversations started */
export const adTrend: Operation<{ query: { date_from: string; date_to: string; as_of?: string; entity_ids: string; model?: ModelParam; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the campaign, ad set or ad */
    entity_id: string
    /** Day, YYYY-MM-DD, in the time zone of the profile */
    date: string
    /** Ad spend; null if the exchange rate is missing */
    spend: number | null
    /** Impressions, as the platform reports them */
    impressions: number
    /** Clicks, as the platform reports them */
    clicks: number
    /** Conversations started within 7 days of a click, as the platform reports them; null if it does not */
    messaging_conversations_started_7d: number | null
  }>
  meta: ReportMeta
}> = { name: 'adTrend', method: 'GET', path: '/api/v1/ads/trend' }

/** Declared sources of customers next to credited channels */
export const getDeclaredReport: Operation<{ query: { date_from: string; date_to: string; model?: ModelParam; profile_id?: string } }, {
  /** The result */
  data: DeclaredReport
  meta: ReportMeta
}> = { name: 'getDeclaredReport', method: 'GET', path: '/api/v1/reports/declared' }

/** Conversions without credit to a campaign, ad set or ad */
export const getUnattributed: Operation<{ query: { date_from: string; date_to: string; as_of?: string; model?: ModelParam; level?: AdLevel; profile_id?: string } }, {
  /** The result */
  data: GetUnattributedReply
  meta: ReportMeta
}> = { name: 'getUnattributed', method: 'GET', path: '/api/v1/campaigns/unattributed' }

/** Why conversions are credited to no campaign */
export const listUnattributedReasons: Operation<{ query: { date_from: string; date_to: string; model?: ModelParam; as_of?: string; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    reason: UnattributedReason
    /** Payments in which the row has a part */
    outcome_count: number
    /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
    outcome_credit: number
    /** Credited cash less refunds; null if no exchange rate is known */
    outcome_value: number | null
    /** Conversions of all types that the row has credit for */
    attributed_outcome_count: number
    /** `attributed_outcome_count` by `outcome_type` */
    attributed_outcomes_by_type: OutcomesByType
    /** Amounts left out because their exchange rate is missing */
    fx_missing: number
  }>
  meta: ReportMeta
}> = { name: 'listUnattributedReasons', method: 'GET', path: '/api/v1/reports/unattributed' }

/** The conversions behind one reason */
export const listUnattributedConversions: Operation<{ query: { reason: UnattributedReason; date_from: string; date_to: string; model?: ModelParam; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Whether the row is a conversion or a refund */
    kind: "conversion" | "refund"
    /** Id of the conversion */
    conversion_id: string
    /** Set on a refund; conversion_id is the refunded conversion; null otherwise */
    refund_id: string | null
    /** Id of the event of the conversion */
    outcome_event_id: string
    /** Type of the outcome, for example payment_received or lead_created */
    outcome_type: string
    revenue_type: RevenueType
    /** When it happened */
    occurred_at: string
    /** Value of the conversion in `currency`; null if it has none */
    value: number | null
    /** ISO 4217 code of the currency; null if there is no amount */
    currency: string | null
    /** The share of the conversion that was credited, from 0 to 1, exact to 1e-9 */
    credit: number
    /** Value of the credit, less refunds; null if it is excluded or the exchange rate is missing */
    credited_value: number | null
    /** Source of the visit; null if unknown */
    source: string | null
  }>
  pagination: Pagination
  meta: ReportMeta
}> = { name: 'listUnattributedConversions', method: 'GET', path: '/api/v1/reports/unattributed/conversions' }

/** Conversions credited to a campaign, ad set or ad */
export const listCampaignConversions: Operation<{ params: { id: string }; query: { date_from: string; date_to: string; model?: ModelParam; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<CreditedConversion>
  pagination: Pagination
  meta: ReportMeta
}> = { name: 'listCampaignConversions', method: 'GET', path: '/api/v1/campaigns/{id}/conversions' }

/** One campaign, ad set or ad in a range of days */
export const getCampaign: Operation<{ params: { id: string }; query: { date_from: string; date_to: string; as_of?: string; model?: ModelParam; profile_id?: string } }, {
  /** The result */
  data: GetCampaignReply
  meta: ReportMeta
}> = { name: 'getCampaign', method: 'GET', path: '/api/v1/campaigns/{id}' }

/** One ad in a range of days */
export const getAd: Operation<{ params: { id: string }; query: { date_from: string; date_to: string; as_of?: string; model?: ModelParam; profile_id?: string } }, {
  /** The result */
  data: DetailedRow
  meta: ReportMeta
}> = { name: 'getAd', method: 'GET', path: '/api/v1/ads/{id}' }

/** Conversions reported by the ad platforms next to ours; the two are never added */
export const comparePlatforms: Operation<{ query: { date_from: string; date_to: string; as_of?: string; model?: ModelParam; level?: AdLevel; profile_id?: string } }, {
  /** The result */
  data: ComparePlatformsReply
  meta: ReportMeta
}> = { name: 'comparePlatforms', method: 'GET', path: '/api/v1/campaigns/platform-comparison' }

/** Why a platform’s count of sales differs from ours, step by step */
export const explainPlatformGap: Operation<{ query: { date_from: string; date_to: string; model?: ModelParam; level?: AdLevel; entity_id?: string; platform?: string; examples?: number; profile_id?: string } }, {
  /** The result */
  data: ExplainPlatformGapReply
  meta: ReportMeta
}> = { name: 'explainPlatformGap', method: 'GET', path: '/api/v1/campaigns/platform-comparison/explain' }

/** Paid clicks with and without an ad id, and the credit lost without one */
export const getAdIdQuality: Operation<{ query: { date_from: string; date_to: string; model?: ModelParam; as_of?: string; profile_id?: string } }, {
  /** The result */
  data: GetAdIdQualityReply
  meta: ReportMeta
}> = { name: 'getAdIdQuality', method: 'GET', path: '/api/v1/quality/ad-ids' }

/** All revenue by channel, paid and unpaid */
export const getChannels: Operation<{ query: { date_from: string; date_to: string; as_of?: string; model?: ModelParam; by_day?: "true" | "false"; profile_id?: string } }, {
  /** The rows */
  data: Array<ChannelRow>
  /** Sums of all rows */
  total: {
    /** Payments in which the row has a part */
    outcome_count: number
    /** The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments */
    outcome_credit: number
    /** Credited cash less refunds; null if no exchange rate is known */
    outcome_value: number | null
    /** Conversions of all types that the row has credit for */
    attributed_outcome_count: number
    /** `attributed_outcome_count` by `outcome_type` */
    attributed_outcomes_by_type: OutcomesByType
    /** Amounts left out because their exchange rate is missing */
    fx_missing: number
    /** Null if no exchange rate is known */
    spend: number | null
    /** `outcome_value` divided by `spend`; null without spend */
    roas: number | null
    /** `spend` divided by `outcome_count`; null without payments or spend */
    cac: number | null
    /** First payments in which the row has a part; a deposit and its balance within 7 days count as one */
    new_customer_count: number
    /** Cash of these payments less refunds; null if an exchange rate is missing */
    new_customer_value: number | null
    /** `spend` divided by `new_customer_count`; null without new customers or spend */
    new_customer_cac: number | null
    /** `new_customer_value` divided by `spend`; null without spend */
    new_customer_roas: number | null
  }
  meta: ReportMeta
}> = { name: 'getChannels', method: 'GET', path: '/api/v1/reports/channels' }

/** The most common channel paths to a payment */
export const getJourneys: Operation<{ query: { date_from: string; date_to: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<JourneyPath>
  /** Number of distinct paths */
  total: {
    /** Payments on these days */
    payments: number
    /** Distinct customers of these payments */
    customers: number
    /** Cash of these days, refunds subtracted on their own days; over all paths it equals the revenue of GET /reports/overview */
    outcome_value: number
    /** Amounts left out because their exchange rate is missing */
    fx_missing: number
    /** Distinct paths of these payments */
    paths: number
    /** Payments with more than one step */
    several_channels: number
  }
  meta: GetJourneysMeta
}> = { name: 'getJourneys', method: 'GET', path: '/api/v1/reports/journeys' }

/** The payments of one path */
export const listJourneyPayments: Operation<{ query: { path: string; date_from: string; date_to: string; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the conversion */
    conversion_id: string
    /** When it happened */
    occurred_at: string
    /** Amount paid, in `currency`; null if it is not known */
    value: number | null
    /** ISO 4217 code of `value`; null if it is not known */
    currency: string | null
    /** Amount less all its refunds, also later ones, in the profile’s currency; null if the exchange rate is missing */
    outcome_value: number | null
  }>
  pagination: Pagination
  meta: ReportMeta
}> = { name: 'listJourneyPayments', method: 'GET', path: '/api/v1/reports/journeys/payments' }

/** Spend and revenue of the whole profile, in total and per day */
export const getOverview: Operation<{ query: { date_from: string; date_to: string; as_of?: string; model?: ModelParam; profile_id?: string } }, {
  /** The result */
  data: GetOverviewReply
  meta: ReportMeta
}> = { name: 'getOverview', method: 'GET', path: '/api/v1/reports/overview' }

/** Revenue of new customers over the months, and when it pays back the ad spend */
export const getCohorts: Operation<{ query: { date_from: string; date_to: string; by?: CohortBy; model?: ModelParam; horizon?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<Cohort>
  /** All customers of the range, followed like a row */
  total: CohortTotal
  meta: ReportMeta
}> = { name: 'getCohorts', method: 'GET', path: '/api/v1/reports/cohorts' }

/** Why figures of past days changed */
export const getChanges: Operation<{ query: { date_from: string; date_to: string; since?: string; until?: string; as_of?: string; level?: AdLevel; model?: ModelParam; limit?: number; profile_id?: string } }, {
  /** The result */
  data: GetChangesReply
  meta: GetChangesMeta
}> = { name: 'getChanges', method: 'GET', path: '/api/v1/reports/changes' }

/** Channel overrides of the profile */
export const getChannelRules: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetChannelRulesReply
  meta: ProfileMeta
}> = { name: 'getChannelRules', method: 'GET', path: '/api/v1/quality/channel-rules' }

/** Replace the overrides and recompute credit by channel */
export const saveChannelRules: Operation<{ query?: { profile_id?: string }; body: SaveChannelRulesRequest }, {
  /** The result */
  data: SaveChannelRulesReply
  meta: ProfileMeta
}> = { name: 'saveChannelRules', method: 'PUT', path: '/api/v1/quality/channel-rules', takesKey: true }

/** Test which rule decides the channel of a visit */
export const testChannelRules: Operation<{ query: { url: string; referrer?: string; profile_id?: string } }, {
  /** The result */
  data: TestChannelRulesReply
  meta: ProfileMeta
}> = { name: 'testChannelRules', method: 'GET', path: '/api/v1/quality/channel-rules/test' }

/** List exchange rates that were entered by hand for the profile */
export const listExchangeRates: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<ExchangeRate>
  meta: ProfileMeta
}> = { name: 'listExchangeRates', method: 'GET', path: '/api/v1/quality/exchange-rates' }

/** Enter an exchange rate and convert the amounts that lacked one */
export const saveExchangeRate: Operation<{ query?: { profile_id?: string }; body: SaveExchangeRateRequest }, {
  /** The result */
  data: ExchangeRate
  meta: ProfileMeta
}> = { name: 'saveExchangeRate', method: 'PUT', path: '/api/v1/quality/exchange-rates', takesKey: true }

/** Remove an exchange rate that was entered by hand */
export const deleteExchangeRate: Operation<{ params: { currency: string; day: string }; query?: { profile_id?: string } }, null> = { name: 'deleteExchangeRate', method: 'DELETE', path: '/api/v1/quality/exchange-rates/{currency}/{day}', takesKey: true }

/** Notes on days, for example a sale or an outage */
export const listAnnotations: Operation<{ query: { date_from: string; date_to: string; profile_id?: string } }, {
  /** The rows */
  data: Array<Annotation>
  meta: ListAnnotationsMeta
}> = { name: 'listAnnotations', method: 'GET', path: '/api/v1/annotations' }

/** Add a note to a day */
export const createAnnotation: Operation<{ query?: { profile_id?: string }; body: CreateAnnotationRequest }, {
  /** The result */
  data: Annotation
  meta: ProfileMeta
}> = { name: 'createAnnotation', method: 'POST', path: '/api/v1/annotations', takesKey: true }

/** Change a note or its day */
export const updateAnnotation: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UpdateAnnotationRequest }, {
  /** The result */
  data: Annotation
  meta: ProfileMeta
}> = { name: 'updateAnnotation', method: 'PATCH', path: '/api/v1/annotations/{id}', takesKey: true }

/** Delete a note */
export const deleteAnnotation: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteAnnotation', method: 'DELETE', path: '/api/v1/annotations/{id}', takesKey: true }

/** List saved views of a report */
export const listSavedViews: Operation<{ query?: { page?: "campaigns"; profile_id?: string } }, {
  /** The rows */
  data: Array<SavedView>
  meta: ProfileMeta
}> = { name: 'listSavedViews', method: 'GET', path: '/api/v1/saved-views' }

/** Save a view under a name */
export const saveView: Operation<{ query?: { profile_id?: string }; body: SaveViewRequest }, {
  /** The result */
  data: SavedView
  meta: ProfileMeta
}> = { name: 'saveView', method: 'POST', path: '/api/v1/saved-views', takesKey: true }

/** Delete a saved view */
export const deleteView: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteView', method: 'DELETE', path: '/api/v1/saved-views/{id}', takesKey: true }

/** Notifications of a profile */
export const listNotifications: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<Notification>
  /** Number of unread notifications */
  unread_count: number
  meta: ProfileMeta
}> = { name: 'listNotifications', method: 'GET', path: '/api/v1/notifications' }

/** Mark notifications up to a time as read */
export const readNotifications: Operation<{ query?: { profile_id?: string }; body: ReadNotificationsRequest }, {
  /** The result */
  data: ReadNotificationsReply
  meta: ProfileMeta
}> = { name: 'readNotifications', method: 'POST', path: '/api/v1/notifications/read', takesKey: true }

/** Ads scored against comparable ads */
export const listTopPerformers: Operation<{ query?: { window?: ScoreWindowParam; limit?: number; min_spend?: number; objectives?: string; truth_grades?: string; outcome_kinds?: string; formats?: string; has_video?: "true" | "false"; profile_id?: string } }, {
  /** The rows */
  data: Array<TopPerformerRow>
  meta: ListTopPerformersMeta
}> = { name: 'listTopPerformers', method: 'GET', path: '/api/v1/top-performers' }

/** Top ads across every profile */
export const listWorkspaceTopPerformers: Operation<{ params: { workspaceId: string }; query?: { window?: ScoreWindowParam; limit?: number; min_spend?: number; objectives?: string; truth_grades?: string; outcome_kinds?: string; formats?: string; has_video?: "true" | "false"; profile_ids?: string } }, {
  /** The rows */
  data: Array<WorkspaceTopPerformerRow>
  meta: ListWorkspaceTopPerformersMeta
}> = { name: 'listWorkspaceTopPerformers', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/top-performers' }

/** Six counters summarising the leaderboard */
export const getTopPerformersBrief: Operation<{ params: { workspaceId: string }; query?: { window?: ScoreWindowParam; profile_ids?: string } }, {
  /** The result */
  data: GetTopPerformersBriefReply
  meta: WorkspaceMeta
}> = { name: 'getTopPerformersBrief', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/top-performers/brief' }

/** Export top ads as a bundle for a coding agent */
export const exportTopPerformers: Operation<{ params: { workspaceId: string }; body?: TopPerformersExport }, Blob> = { name: 'exportTopPerformers', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/top-performers/export', isFile: true }

/** List shared leaderboards */
export const listSnapshots: Operation<{ params: { workspaceId: string } }, {
  /** The rows */
  data: Array<Snapshot>
  meta: WorkspaceMeta
}> = { name: 'listSnapshots', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/snapshots' }

/** Capture a leaderboard under a shareable link */
export const captureSnapshot: Operation<{ params: { workspaceId: string }; body: SnapshotCapture }, {
  /** The result */
  data: Snapshot
  meta: WorkspaceMeta
}> = { name: 'captureSnapshot', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/snapshots', takesKey: true }

/** Revoke a snapshot link */
export const revokeSnapshot: Operation<{ params: { workspaceId: string; snapshotId: string } }, null> = { name: 'revokeSnapshot', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/snapshots/{snapshotId}', takesKey: true }

/** Lookback windows and half-life of the models */
export const getAttributionSettings: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: AttributionSettings
  meta: ProfileMeta
}> = { name: 'getAttributionSettings', method: 'GET', path: '/api/v1/attribution/settings' }

/** Change lookback windows or half-life and recompute all credit */
export const updateAttributionSettings: Operation<{ query?: { profile_id?: string }; body?: UpdateAttributionSettingsRequest }, {
  /** The result */
  data: UpdateAttributionSettingsReply
  meta: ProfileMeta
}> = { name: 'updateAttributionSettings', method: 'PATCH', path: '/api/v1/attribution/settings', takesKey: true }

/** Recompute all credit of the profile */
export const startRecompute: Operation<{ query?: { profile_id?: string }; body?: StartRecomputeRequest }, {
  /** The result */
  data: Recompute
  meta: ProfileMeta
}> = { name: 'startRecompute', method: 'POST', path: '/api/v1/attribution/recompute', takesKey: true }

/** Explain the credit of a conversion: every candidate touch in order */
export const explainConversion: Operation<{ params: { id: string }; query?: { model?: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct" | "all"; profile_id?: string } }, {
  /** The result */
  data: ExplainConversionReply
  meta: ExplainConversionMeta
}> = { name: 'explainConversion', method: 'GET', path: '/api/v1/conversions/{id}/explain' }

/** List payments with manual corrections */
export const listPayments: Operation<{ query: { status?: string; search?: string; amount_min?: string; amount_max?: string; from: string; to: string; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<Payment>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listPayments', method: 'GET', path: '/api/v1/payments' }

/** Mark or unmark a payment as a later installment */
export const setInstallment: Operation<{ params: { payment_id: string }; query?: { profile_id?: string }; body: SetInstallmentRequest }, {
  /** The result */
  data: Payment
  meta: ProfileMeta
}> = { name: 'setInstallment', method: 'PUT', path: '/api/v1/payments/{payment_id}/installment', takesKey: true }

/** Set or remove the payer of a payment */
export const setPayer: Operation<{ params: { payment_id: string }; query?: { profile_id?: string }; body: SetPayerRequest }, {
  /** The result */
  data: Payment
  meta: ProfileMeta
}> = { name: 'setPayer', method: 'PUT', path: '/api/v1/payments/{payment_id}/payer', takesKey: true }

/** Record a refund made outside the provider; at most one per payment */
export const recordRefund: Operation<{ params: { payment_id: string }; query?: { profile_id?: string }; body: RecordRefundRequest }, {
  /** The result */
  data: Payment
  meta: ProfileMeta
}> = { name: 'recordRefund', method: 'POST', path: '/api/v1/payments/{payment_id}/refund', takesKey: true }

/** Undo a refund that was recorded by hand */
export const deleteRefund: Operation<{ params: { payment_id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: Payment
  meta: ProfileMeta
}> = { name: 'deleteRefund', method: 'DELETE', path: '/api/v1/payments/{payment_id}/refund', takesKey: true }

/** List how payments are linked to ads */
export const listPaymentLinkage: Operation<{ query: { model?: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"; from: string; to: string; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the payment */
    payment_id: string
    /** When it happened */
    occurred_at: string
    /** Provider of the account, for example social_ads */
    provider: string
    /** Amount in `currency` */
    value: number
    /** ISO 4217 code of the currency */
    currency: string
    /** Id of the customer; null after an erasure, or if no customer is known */
    customer_id: string | null
    /** How closely the last touch is linked to an ad */
    linkage: "ad" | "ad_set" | "campaign" | "paid_click" | "other_touch" | "direct" | "no_touch" | "not_creditable"
    /** Identifier type that matched the touch; null without a touch */
    matched_by: "external_id" | "crm_contact_id" | "national_id" | "email" | "phone" | "provider_customer_id" | "anonymous_id" | null
    /** Last touch before the payment; null if there is none */
    touch: {
      /** Id of the visit or click */
      touch_id: string
      /** When it happened */
      occurred_at: string
      /** Channel, for example paid_social */
      channel: string
      /** How the visit was recorded, for example web or conversation_referral */
      origin: string
      /** Ad platform, for example social_ads; null if it is none */
      platform: string | null
    } | null
    /** Campaign of the touch; null if it is not known */
    campaign: NamedEntity | null
    /** Ad set of the touch; null if it is not known */
    ad_set: NamedEntity | null
    /** Ad of the touch; null if it is not known */
    ad: NamedEntity | null
  }>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listPaymentLinkage', method: 'GET', path: '/api/v1/payments/linkage' }

/** Report a card-gateway payment directly, without a connection */
export const reportCardGatewayPayment: Operation<{ query?: { profile_id?: string }; body: ReportCardGatewayPaymentRequest }, {
  /** The result */
  data: ReportCardGatewayPaymentReply
  meta: ProfileMeta
}> = { name: 'reportCardGatewayPayment', method: 'POST', path: '/api/v1/payments/cardgateway', takesKey: true }

/** Number of people reached by ads, without personal data */
export const listAdPeople: Operation<{ query: { date_from: string; date_to: string; group_by?: "month" | "day" | "ad"; channel?: "chatapp" | "photoapp" | "pagechat" | "web" | "other"; first_only?: "true" | "false"; limit?: number; profile_id?: string } }, {
  /** The result */
  data: ListAdPeopleReply
  meta: ListAdPeopleMeta
}> = { name: 'listAdPeople', method: 'GET', path: '/api/v1/attribution/ad-people' }

/** Report the ad behind a conversation that was not received live */
export const sendAdReferral: Operation<{ query?: { profile_id?: string }; body: SendAdReferralRequest }, {
  /** The result */
  data: SendAdReferralReply
  meta: ProfileMeta
}> = { name: 'sendAdReferral', method: 'POST', path: '/api/v1/partner/ad-referrals' }

/** List the connections and their health */
export const listConnections: Operation<{ query?: { channel?: "social_ads" | "engine_ads" | "engine_search_console" | "engine_calendar" | "external_calendar" | "microsoft_ads" | "crmsuite" | "cardpay" | "regionalpay" | "storefront" | "woocommerce" | "hubspot" | "linkedin_ads" | "tiktok_ads" | "banklink" | "chatbot" | "pagechat" | "photoapp" | "chatapp" | "mailbox" | "gmail" | "microsoft_mail"; profile_id?: string } }, {
  /** The rows */
  data: Array<Connection>
  meta: ProfileMeta
}> = { name: 'listConnections', method: 'GET', path: '/api/v1/connections' }

/** Read one connection */
export const getConnection: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: Connection
  meta: ProfileMeta
}> = { name: 'getConnection', method: 'GET', path: '/api/v1/connections/{id}' }

/** End the calling app’s authorization for a connection, and all its keys */
export const deleteConnection: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteConnection', method: 'DELETE', path: '/api/v1/connections/{id}', takesKey: true }

/** Disconnect an account from the profile */
export const disconnectConnection: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: Connection
  meta: ProfileMeta
}> = { name: 'disconnectConnection', method: 'POST', path: '/api/v1/connections/{id}/disconnect', takesKey: true }

/** List the pixels of an ad account, live from the platform */
export const listPixels: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: ListPixelsReply
  meta: ProfileMeta
}> = { name: 'listPixels', method: 'GET', path: '/api/v1/connections/{id}/pixels' }

/** List consents that wait for the choice of an account */
export const listPendingChoices: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<{
    provider: ProviderParam
    /** Accounts that the person can choose from */
    accounts: number
    /** When it expires */
    expires_at: string
  }>
  meta: ProfileMeta
}> = { name: 'listPendingChoices', method: 'GET', path: '/api/v1/connections/pending' }

/** List the accounts that a consent covers */
export const listCandidates: Operation<{ params: { provider: ProviderParam }; query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<Candidate>
  meta: ProfileMeta
}> = { name: 'listCandidates', method: 'GET', path: '/api/v1/connections/pending/{provider}' }

/** Choose the account to connect */
export const finalizeConnection: Operation<{ params: { provider: ProviderParam }; query?: { profile_id?: string }; body: FinalizeConnectionRequest }, {
  /** The result */
  data: FinalizeConnectionReply
  meta: ProfileMeta
}> = { name: 'finalizeConnection', method: 'POST', path: '/api/v1/connections/pending/{provider}/finalize', takesKey: true }

/** Start a sync */
export const startSync: Operation<{ query?: { profile_id?: string }; body?: StartSyncRequest }, {
  /** The result */
  data: StartSyncReply
  meta: ProfileMeta
}> = { name: 'startSync', method: 'POST', path: '/api/v1/connections/sync', takesKey: true }

/** Read a provider’s sync progress */
export const getSyncStatus: Operation<{ query: { provider: ProviderParam; profile_id?: string } }, {
  /** The result */
  data: GetSyncStatusReply
  meta: ProfileMeta
}> = { name: 'getSyncStatus', method: 'GET', path: '/api/v1/connections/sync/status' }

/** Read a CRM’s pipeline stages with suggested and current outcomes */
export const listStages: Operation<{ params: { provider: ProviderParam }; query?: { profile_id?: string } }, {
  /** The result */
  data: ListStagesReply
  meta: ProfileMeta
}> = { name: 'listStages', method: 'GET', path: '/api/v1/connections/{provider}/stages' }

/** Map pipeline stages to outcomes */
export const saveStages: Operation<{ params: { provider: ProviderParam }; query?: { profile_id?: string }; body: SaveStagesRequest }, {
  /** The result */
  data: SaveStagesReply
  meta: ProfileMeta
}> = { name: 'saveStages', method: 'PUT', path: '/api/v1/connections/{provider}/stages', takesKey: true }

/** Suggest outcome mappings from the CRM’s pipeline stages */
export const prefillOutcomes: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: PrefillOutcomesReply
  meta: ProfileMeta
}> = { name: 'prefillOutcomes', method: 'GET', path: '/api/v1/integrations/crmsuite/outcomes/prefill' }

/** List the manual store webhook connections */
export const listManualStores: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<ManualStore>
  meta: ProfileMeta
}> = { name: 'listManualStores', method: 'GET', path: '/api/v1/integrations/storefront/manual-connections' }

/** Create a manual store webhook connection */
export const createManualStore: Operation<{ query?: { profile_id?: string }; body: CreateManualStoreRequest }, {
  /** The result */
  data: ManualStore
  meta: ProfileMeta
}> = { name: 'createManualStore', method: 'POST', path: '/api/v1/integrations/storefront/manual-connections', takesKey: true }

/** Store the store’s webhook signing id */
export const setSigningId: Operation<{ params: { connectionId: string }; query?: { profile_id?: string }; body: SetSigningIdRequest }, {
  /** The result */
  data: ManualStore
  meta: ProfileMeta
}> = { name: 'setSigningId', method: 'PATCH', path: '/api/v1/integrations/storefront/manual-connections/{connectionId}', takesKey: true }

/** Remove a manual store webhook connection */
export const deleteManualStore: Operation<{ params: { connectionId: string }; query?: { profile_id?: string } }, null> = { name: 'deleteManualStore', method: 'DELETE', path: '/api/v1/integrations/storefront/manual-connections/{connectionId}', takesKey: true }

/** Install the store app’s web pixel again */
export const activateWebPixel: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: ActivateWebPixelReply
  meta: ProfileMeta
}> = { name: 'activateWebPixel', method: 'POST', path: '/api/v1/integrations/storefront/web-pixel/activate', takesKey: true }

/** List the tracked pages */
export const listPages: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<SocialPage>
  meta: ProfileMeta
}> = { name: 'listPages', method: 'GET', path: '/api/v1/integrations/social/pages' }

/** Replace the set of tracked pages */
export const trackPages: Operation<{ query?: { profile_id?: string }; body: TrackPagesRequest }, {
  /** The rows */
  data: Array<SocialPage>
  meta: ProfileMeta
}> = { name: 'trackPages', method: 'POST', path: '/api/v1/integrations/social/pages', takesKey: true }

/** List the pages that the connected account can see, live */
export const listAvailablePages: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<SocialPage>
  meta: ProfileMeta
}> = { name: 'listAvailablePages', method: 'GET', path: '/api/v1/integrations/social/pages/available' }

/** Read the chatbot connection */
export const getChatbot: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: Connection
  meta: ProfileMeta
}> = { name: 'getChatbot', method: 'GET', path: '/api/v1/integrations/chatbot/connection' }

/** Create or update the chatbot connection */
export const saveChatbot: Operation<{ query?: { profile_id?: string }; body: SaveChatbotRequest }, {
  /** The result */
  data: Connection
  meta: ProfileMeta
}> = { name: 'saveChatbot', method: 'POST', path: '/api/v1/integrations/chatbot/connection', takesKey: true }

/** Start a bank link */
export const startBankLink: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: StartBankLinkReply
  meta: ProfileMeta
}> = { name: 'startBankLink', method: 'POST', path: '/api/v1/integrations/banklink/link/start', takesKey: true }

/** Finish a bank link and return the connection */
export const connectBankLink: Operation<{ query?: { profile_id?: string }; body: ConnectBankLinkRequest }, {
  /** The result */
  data: Connection
  meta: ProfileMeta
}> = { name: 'connectBankLink', method: 'POST', path: '/api/v1/integrations/banklink/link/connect', takesKey: true }

/** Create a link that a person follows to connect a calendar account */
export const startCalendarLink: Operation<{ query?: { profile_id?: string }; body: StartCalendarLinkRequest }, {
  /** The result */
  data: Handoff
  meta: ProfileMeta
}> = { name: 'startCalendarLink', method: 'POST', path: '/api/v1/integrations/calendar/link/start', takesKey: true }

/** List the calendars of connected accounts */
export const listCalendars: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<Calendar>
  meta: ProfileMeta
}> = { name: 'listCalendars', method: 'GET', path: '/api/v1/calendars' }

/** Create a calendar in the connected account */
export const createCalendar: Operation<{ query?: { profile_id?: string }; body: CreateCalendarRequest }, {
  /** The result */
  data: Calendar
  meta: ProfileMeta
}> = { name: 'createCalendar', method: 'POST', path: '/api/v1/calendars', takesKey: true }

/** Share a calendar that was created through the API */
export const shareCalendar: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: ShareCalendarRequest }, null> = { name: 'shareCalendar', method: 'POST', path: '/api/v1/calendars/{id}/share', takesKey: true }

/** Read the events of a calendar, live */
export const listCalendarEvents: Operation<{ params: { id: string }; query: { from: string; to: string; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<CalendarEvent>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listCalendarEvents', method: 'GET', path: '/api/v1/calendars/{id}/events' }

/** List the accounts that can receive messages, live from the platform */
export const listMessagingAccounts: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<MessagingAccount>
  meta: ProfileMeta
}> = { name: 'listMessagingAccounts', method: 'GET', path: '/api/v1/messaging/accounts' }

/** Connect an account that receives messages */
export const connectMessagingAccount: Operation<{ query?: { profile_id?: string }; body: {
  /** Messaging channel of the account */
  channel: MessagingChannel
  /** The account’s id at the provider */
  account_id: string
} | {
  /** Messaging channel of the account */
  channel: "photoapp"
  /** The platform’s token; stored encrypted, never returned */
  access_token: string
} }, {
  /** The result */
  data: Connection
  meta: ProfileMeta
}> = { name: 'connectMessagingAccount', method: 'POST', path: '/api/v1/messaging/accounts', takesKey: true }

/** Create a link that a person follows to connect a mailbox */
export const startMailboxLink: Operation<{ query?: { profile_id?: string }; body: StartMailboxLinkRequest }, {
  /** The result */
  data: Handoff
  meta: ProfileMeta
}> = { name: 'startMailboxLink', method: 'POST', path: '/api/v1/integrations/mailbox/link/start', takesKey: true }

/** Upload a file to send in the chat app */
export const uploadChatMedia: Operation<{ query?: { profile_id?: string }; raw?: RawBody<"multipart/form-data"> }, {
  /** The result */
  data: UploadChatMediaReply
  meta: ProfileMeta
}> = { name: 'uploadChatMedia', method: 'POST', path: '/api/v1/chatapp/media', takesKey: true }

/** Read a file of the chat app */
export const getChatMedia: Operation<{ params: { media_id: string }; query?: { profile_id?: string } }, Blob> = { name: 'getChatMedia', method: 'GET', path: '/api/v1/chatapp/media/{media_id}', isFile: true }

/** List the numbers of the chat account, live */
export const listChatNumbers: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<ChatNumber>
  meta: ProfileMeta
}> = { name: 'listChatNumbers', method: 'GET', path: '/api/v1/chatapp/numbers' }

/** Request the verification code of a number */
export const requestChatCode: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: RequestChatCodeRequest }, {
  /** The result */
  data: RequestChatCodeReply
  meta: ProfileMeta
}> = { name: 'requestChatCode', method: 'POST', path: '/api/v1/chatapp/numbers/{id}/code', takesKey: true }

/** Register a number for messages */
export const registerChatNumber: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: RegisterChatNumberRequest }, {
  /** The result */
  data: RegisterChatNumberReply
  meta: ProfileMeta
}> = { name: 'registerChatNumber', method: 'POST', path: '/api/v1/chatapp/numbers/{id}/register', takesKey: true }

/** Send a message to the person of a conversation */
export const sendMessage: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: NewMessage }, {
  /** The result */
  data: SentMessage
  meta: ProfileMeta
}> = { name: 'sendMessage', method: 'POST', path: '/api/v1/conversations/{id}/messages', takesKey: true }

/** Send a mail from a connected mailbox */
export const sendMail: Operation<{ query?: { profile_id?: string }; body: NewMail }, {
  /** The result */
  data: SentMail
  meta: ProfileMeta
}> = { name: 'sendMail', method: 'POST', path: '/api/v1/mail/messages', takesKey: true }

/** Read a campaign’s status and budget from the platform, live */
export const getCampaignStatus: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: GetCampaignStatusReply
  meta: ProfileMeta
}> = { name: 'getCampaignStatus', method: 'GET', path: '/api/v1/campaigns/{id}/status' }

/** Pause a campaign at the platform */
export const pauseCampaign: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: StatusChange
  meta: ProfileMeta
}> = { name: 'pauseCampaign', method: 'POST', path: '/api/v1/campaigns/{id}/pause', takesKey: true }

/** Resume a paused campaign at the platform */
export const resumeCampaign: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: StatusChange
  meta: ProfileMeta
}> = { name: 'resumeCampaign', method: 'POST', path: '/api/v1/campaigns/{id}/resume', takesKey: true }

/** Pause an ad set at the platform */
export const pauseAdSet: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: StatusChange
  meta: ProfileMeta
}> = { name: 'pauseAdSet', method: 'POST', path: '/api/v1/ad-sets/{id}/pause', takesKey: true }

/** Resume a paused ad set at the platform */
export const resumeAdSet: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: StatusChange
  meta: ProfileMeta
}> = { name: 'resumeAdSet', method: 'POST', path: '/api/v1/ad-sets/{id}/resume', takesKey: true }

/** Pause an ad at the platform */
export const pauseAd: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: StatusChange
  meta: ProfileMeta
}> = { name: 'pauseAd', method: 'POST', path: '/api/v1/ads/{id}/pause', takesKey: true }

/** Resume a paused ad at the platform */
export const resumeAd: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: StatusChange
  meta: ProfileMeta
}> = { name: 'resumeAd', method: 'POST', path: '/api/v1/ads/{id}/resume', takesKey: true }

/** Set a campaign’s daily or lifetime budget, in the ad account’s currency */
export const setCampaignBudget: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: Budget }, {
  /** The result */
  data: BudgetChange
  meta: ProfileMeta
}> = { name: 'setCampaignBudget', method: 'PUT', path: '/api/v1/campaigns/{id}/budget', takesKey: true }

/** Set an ad set’s daily or lifetime budget, in the ad account’s currency */
export const setAdSetBudget: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: Budget }, {
  /** The result */
  data: BudgetChange
  meta: ProfileMeta
}> = { name: 'setAdSetBudget', method: 'PUT', path: '/api/v1/ad-sets/{id}/budget', takesKey: true }

/** Month-to-date spend and outcomes against budget, with a forecast */
export const getPacing: Operation<{ params: { workspaceId: string }; query?: { month?: string; profile_ids?: string } }, {
  /** The rows */
  data: Array<PacingRow>
  meta: WorkspaceMeta
}> = { name: 'getPacing', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/pacing' }

/** Set the budget of a profile at a provider for a month */
export const setPacingTarget: Operation<{ params: { workspaceId: string }; body: SetPacingTargetRequest }, {
  /** The result */
  data: PacingTarget
  meta: WorkspaceMeta
}> = { name: 'setPacingTarget', method: 'PUT', path: '/api/v1/workspaces/{workspaceId}/pacing/targets', takesKey: true }

/** Lift, split and geo studies, with our reading and a verdict */
export const listExperiments: Operation<{ params: { workspaceId: string }; query?: { profile_ids?: string } }, {
  /** The rows */
  data: Array<Experiment>
  meta: WorkspaceMeta
}> = { name: 'listExperiments', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/experiments' }

/** Propose a geo study from the history of the profile’s regions */
export const designGeoExperiment: Operation<{ query?: { metric?: "payments" | "conversions"; effect?: number; treated?: string; lot?: number; profile_id?: string } }, {
  /** The result */
  data: GeoDesign
  meta: ProfileMeta
}> = { name: 'designGeoExperiment', method: 'GET', path: '/api/v1/experiments/geo-design' }

/** Create a geo study from a design */
export const createGeoExperiment: Operation<{ query?: { profile_id?: string }; body: CreateGeoExperimentRequest }, {
  /** The result */
  data: CreateGeoExperimentReply
  meta: ProfileMeta
}> = { name: 'createGeoExperiment', method: 'POST', path: '/api/v1/experiments', takesKey: true }

/** Cancel a geo study created through POST /experiments */
export const cancelGeoExperiment: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'cancelGeoExperiment', method: 'DELETE', path: '/api/v1/experiments/{id}', takesKey: true }

/** Open recommendations with evidence and expected effect */
export const listRecommendations: Operation<{ params: { workspaceId: string }; query?: { profile_ids?: string; status?: "open" | "applied" | "undone" | "dismissed" | "expired" } }, {
  /** The rows */
  data: Array<Recommendation>
  meta: ListRecommendationsMeta
}> = { name: 'listRecommendations', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/recommendations' }

/** Apply a recommendation at the platform */
export const applyRecommendation: Operation<{ params: { workspaceId: string; id: string } }, {
  /** The result */
  data: Recommendation
  meta: WorkspaceMeta
}> = { name: 'applyRecommendation', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/recommendations/{id}/apply', takesKey: true }

/** Undo an applied recommendation */
export const undoRecommendation: Operation<{ params: { workspaceId: string; id: string } }, {
  /** The result */
  data: Recommendation
  meta: WorkspaceMeta
}> = { name: 'undoRecommendation', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/recommendations/{id}/undo', takesKey: true }

/** Dismiss a recommendation for four weeks */
export const dismissRecommendation: Operation<{ params: { workspaceId: string; id: string } }, {
  /** The result */
  data: Recommendation
  meta: WorkspaceMeta
}> = { name: 'dismissRecommendation', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/recommendations/{id}/dismiss', takesKey: true }

/** Pairs of traits associated with better or worse results, across profiles */
export const listCreativePatterns: Operation<{ params: { workspaceId: string }; query?: { profile_ids?: string } }, {
  /** The rows */
  data: Array<CreativePattern>
  meta: WorkspaceMeta
}> = { name: 'listCreativePatterns', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/creative-patterns' }

/** Traits of ads associated with better or worse results */
export const listCreativeDimensions: Operation<{ params: { workspaceId: string }; query?: { profile_ids?: string } }, {
  /** The rows */
  data: Array<CreativeDimension>
  meta: WorkspaceMeta
}> = { name: 'listCreativeDimensions', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/creative-patterns/dimensions' }

/** Archetypes of ads, and how often each wins */
export const listCreativeArchetypes: Operation<{ params: { workspaceId: string }; query?: { profile_ids?: string } }, {
  /** The rows */
  data: Array<CreativeArchetype>
  meta: WorkspaceMeta
}> = { name: 'listCreativeArchetypes', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/creative-archetypes' }

/** Revenue by channel under a model learned from visits with and without a payment */
export const getDataDriven: Operation<{ query?: { as_of?: string; profile_id?: string } }, {
  /** The result */
  data: DataDrivenModel
  meta: GetDataDrivenMeta
}> = { name: 'getDataDriven', method: 'GET', path: '/api/v1/attribution/data-driven' }

/** Data problems and how to fix them */
export const getDoctor: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetDoctorReply
  meta: ProfileMeta
}> = { name: 'getDoctor', method: 'GET', path: '/api/v1/quality/doctor' }

/** Run the data-health checks now */
export const runDoctor: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: RunDoctorReply
  meta: ProfileMeta
}> = { name: 'runDoctor', method: 'POST', path: '/api/v1/quality/doctor/check', takesKey: true }

/** Issue the tracking key, or return the active one */
export const issueTrackingKey: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: TrackingKey
  meta: ProfileMeta
}> = { name: 'issueTrackingKey', method: 'POST', path: '/api/v1/tracking/keys', takesKey: true }

/** List the active tracking keys */
export const listTrackingKeys: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<TrackingKey>
  meta: ProfileMeta
}> = { name: 'listTrackingKeys', method: 'GET', path: '/api/v1/tracking/keys' }

/** Revoke a tracking key */
export const revokeTrackingKey: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'revokeTrackingKey', method: 'DELETE', path: '/api/v1/tracking/keys/{id}', takesKey: true }

/** Read the tracker snippet, optionally with the ad platform’s pixel */
export const getTrackingSnippet: Operation<{ query?: { social_pixel_id?: string; profile_id?: string } }, {
  /** The result */
  data: GetTrackingSnippetReply
  meta: ProfileMeta
}> = { name: 'getTrackingSnippet', method: 'GET', path: '/api/v1/tracking/snippet' }

/** Read the tracker as an import file for a tag manager */
export const getTagManagerInstaller: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetTagManagerInstallerReply
  meta: ProfileMeta
}> = { name: 'getTagManagerInstaller', method: 'GET', path: '/api/v1/tracking/installers/gtm' }

/** List the URL templates for each ad platform, and whether their parameters arrive */
export const getTrackingTemplates: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Ad platform that the template is for */
    platform: "social" | "engine" | "shortvideo" | "linkedin" | "microsoft"
    /** Name of the platform */
    name: string
    /** Where to enter it at the platform */
    place: string
    /** URL parameters to paste at the platform */
    template: string
    /** Number of paid clicks of the last seven days */
    clicks: number
    /** Number of those clicks that carried their ad */
    with_ad_id: number
    /** Day of the latest click with it; null if there is none */
    last_click_on: string | null
    /** Whether the parameters arrive; waiting until the first click */
    state: "waiting" | "missing" | "partial" | "arriving"
  }>
  meta: ProfileMeta
}> = { name: 'getTrackingTemplates', method: 'GET', path: '/api/v1/tracking/templates' }

/** Read the code of a store’s custom web pixel */
export const getStorefrontPixelInstaller: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetStorefrontPixelInstallerReply
  meta: ProfileMeta
}> = { name: 'getStorefrontPixelInstaller', method: 'GET', path: '/api/v1/tracking/installers/storefront-pixel' }

/** List the first-party tracking domains */
export const listTrackingDomains: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<TrackingDomain>
  meta: ProfileMeta
}> = { name: 'listTrackingDomains', method: 'GET', path: '/api/v1/tracking/custom-domains' }

/** Register a first-party tracking domain */
export const createTrackingDomain: Operation<{ query?: { profile_id?: string }; body: CreateTrackingDomainRequest }, {
  /** The result */
  data: TrackingDomain
  meta: ProfileMeta
}> = { name: 'createTrackingDomain', method: 'POST', path: '/api/v1/tracking/custom-domains', takesKey: true }

/** Remove a tracking domain */
export const deleteTrackingDomain: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteTrackingDomain', method: 'DELETE', path: '/api/v1/tracking/custom-domains/{id}', takesKey: true }

/** Check the DNS record of a tracking domain */
export const verifyTrackingDomain: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: TrackingDomain
  meta: ProfileMeta
}> = { name: 'verifyTrackingDomain', method: 'POST', path: '/api/v1/tracking/custom-domains/{id}/verify', takesKey: true }

/** List raw enriched events, newest first */
export const listTrackedEvents: Operation<{ query?: { cursor?: string; limit?: number; event_name?: string; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the event */
    id: string
    /** Name of the event; goals select events by it */
    event_name: string
    /** Source of the data */
    source: string
    /** When it happened */
    occurred_at: string
    /** When the service received it */
    received_at: string
    /** The visitor’s id in the browser or app; null if none was sent */
    anonymous_id: string | null
    /** Id of the visit; null if none was sent */
    session_id: string | null
    /** True if the user agent belongs to a bot */
    is_bot: boolean
    /** Channel of the visit; null if the event is not a visit */
    channel: string | null
    /** URL of the page; null if none was sent */
    page_url: string | null
    /** Address of the page that linked here; null if there is none */
    referrer: string | null
    /** Browser, operating system and device type */
    device: Record<string, string | null>
    /** Campaign parameters of the link, for example `utm_source` */
    utm: Record<string, string>
    /** Click ids of ad platforms by their parameter, for example `gclid` */
    click_ids: Record<string, string>
  }>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listTrackedEvents', method: 'GET', path: '/api/v1/tracking/events' }

/** Read the state and lag of the event pipeline */
export const getTrackingOps: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetTrackingOpsReply
  meta: ProfileMeta
}> = { name: 'getTrackingOps', method: 'GET', path: '/api/v1/tracking/ops' }

/** Read the origin that the profile’s tracker sends events to */
export const getTrackingOrigin: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetTrackingOriginReply
  meta: ProfileMeta
}> = { name: 'getTrackingOrigin', method: 'GET', path: '/api/v1/tracking/origin' }

/** Read the tracking health of the last seven days */
export const getTrackingQuality: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetTrackingQualityReply
  meta: ProfileMeta
}> = { name: 'getTrackingQuality', method: 'GET', path: '/api/v1/tracking/quality' }

/** Read the most recent recompute of credits */
export const getReplayStatus: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: {
    /** Id of the recompute */
    recompute_id: string
    /** What is recomputed */
    scope: string
    /** How far the recompute is */
    state: string
    /** Number of conversions that were recomputed; null until it has ended */
    conversions: number | null
    /** When it was requested */
    requested_at: string
    /** When it started; null until then */
    started_at: string | null
    /** When it ended; null until then */
    finished_at: string | null
    /** Why the recompute failed; null if it did not */
    error: string | null
  } | null
  meta: ProfileMeta
}> = { name: 'getReplayStatus', method: 'GET', path: '/api/v1/tracking/replay-status' }

/** Read the tracker and enrichment settings */
export const getTrackingSettings: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: TrackingSettings
  meta: ProfileMeta
}> = { name: 'getTrackingSettings', method: 'GET', path: '/api/v1/tracking/settings' }

/** Change tracker and enrichment settings */
export const updateTrackingSettings: Operation<{ query?: { profile_id?: string }; body?: UpdateTrackingSettingsRequest }, {
  /** The result */
  data: TrackingSettings
  meta: ProfileMeta
}> = { name: 'updateTrackingSettings', method: 'PATCH', path: '/api/v1/tracking/settings', takesKey: true }

/** Read the latest install check */
export const getVerification: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: Verification | null
  meta: ProfileMeta
}> = { name: 'getVerification', method: 'GET', path: '/api/v1/tracking/verification' }

/** Start an install check */
export const startVerification: Operation<{ query?: { profile_id?: string }; body: StartVerificationRequest }, {
  /** The result */
  data: Verification
  meta: ProfileMeta
}> = { name: 'startVerification', method: 'POST', path: '/api/v1/tracking/verification', takesKey: true }

/** Count what visitors stated about consent, by source and day */
export const getTrackingConsent: Operation<{ query?: { date_from?: string; date_to?: string; profile_id?: string } }, {
  /** The result */
  data: GetTrackingConsentReply
  meta: GetTrackingConsentMeta
}> = { name: 'getTrackingConsent', method: 'GET', path: '/api/v1/tracking/consent' }

/** Create a link that excludes the browser it is opened in */
export const createOwnBrowserLink: Operation<{ query?: { profile_id?: string }; body: CreateOwnBrowserLinkRequest }, {
  /** The result */
  data: CreateOwnBrowserLinkReply
  meta: ProfileMeta
}> = { name: 'createOwnBrowserLink', method: 'POST', path: '/api/v1/tracking/own-browser', takesKey: true }

/** List the answers to "How did you hear about us?" */
export const getDeclaredVocabulary: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetDeclaredVocabularyReply
  meta: ProfileMeta
}> = { name: 'getDeclaredVocabulary', method: 'GET', path: '/api/v1/declared-sources/vocabulary' }

/** Replace the answers that the profile adds */
export const saveDeclaredVocabulary: Operation<{ query?: { profile_id?: string }; body: SaveDeclaredVocabularyRequest }, {
  /** The result */
  data: SaveDeclaredVocabularyReply
  meta: ProfileMeta
}> = { name: 'saveDeclaredVocabulary', method: 'PUT', path: '/api/v1/declared-sources/vocabulary', takesKey: true }

/** Report the answer of a customer */
export const declareSource: Operation<{ query?: { profile_id?: string }; body: DeclareSourceRequest }, {
  /** The result */
  data: DeclareSourceReply
  meta: ProfileMeta
}> = { name: 'declareSource', method: 'POST', path: '/api/v1/declared-sources' }

/** List the short links, newest first */
export const listShortLinks: Operation<{ query?: { cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<ShortLink>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listShortLinks', method: 'GET', path: '/api/v1/short-links' }

/** Create a short link to a page or a chat */
export const createShortLink: Operation<{ query?: { profile_id?: string }; body: CreateShortLinkRequest }, {
  /** The result */
  data: ShortLink
  meta: ProfileMeta
}> = { name: 'createShortLink', method: 'POST', path: '/api/v1/short-links', takesKey: true }

/** Change a short link */
export const updateShortLink: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UpdateShortLinkRequest }, {
  /** The result */
  data: ShortLink
  meta: ProfileMeta
}> = { name: 'updateShortLink', method: 'PATCH', path: '/api/v1/short-links/{id}', takesKey: true }

/** Delete a short link */
export const deleteShortLink: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteShortLink', method: 'DELETE', path: '/api/v1/short-links/{id}', takesKey: true }

/** Read the QR code of a short link */
export const getShortLinkCode: Operation<{ params: { id: string }; query?: { size?: string; margin?: string; ecc?: "L" | "M" | "Q" | "H"; profile_id?: string } }, Blob> = { name: 'getShortLinkCode', method: 'GET', path: '/api/v1/short-links/{id}/qr.svg', isFile: true }

/** Result of the latest check of the ads’ URL parameters */
export const getUtmHealth: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: UtmHealth
  meta: GetUtmHealthMeta
}> = { name: 'getUtmHealth', method: 'GET', path: '/api/v1/quality/utm-health' }

/** Check the URL parameters of all ads now */
export const scanUtmHealth: Operation<{ query?: { profile_id?: string }; body?: ScanUtmHealthRequest }, {
  /** The result */
  data: UtmHealth
  meta: ScanUtmHealthMeta
}> = { name: 'scanUtmHealth', method: 'POST', path: '/api/v1/quality/utm-health/scan', takesKey: true }

/** Create the workspace’s demo profile */
export const createDemoProfile: Operation<{ body: CreateDemoProfileRequest }, {
  /** The result */
  data: CreateDemoProfileReply
  meta: Meta
}> = { name: 'createDemoProfile', method: 'POST', path: '/api/v1/profiles/demo', takesKey: true }

/** Delete the workspace’s demo profile */
export const deleteDemoProfile: Operation<{ query: { workspace_id: string } }, null> = { name: 'deleteDemoProfile', method: 'DELETE', path: '/api/v1/profiles/demo', takesKey: true }

/** Webhook subscriptions */
export const listWebhookSubscriptions: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<Subscription>
  meta: ProfileMeta
}> = { name: 'listWebhookSubscriptions', method: 'GET', path: '/api/v1/webhooks/subscriptions' }

/** Subscribe an HTTPS endpoint to events */
export const createWebhookSubscription: Operation<{ query?: { profile_id?: string }; body: CreateWebhookSubscriptionRequest }, {
  /** The result */
  data: SubscriptionWithSecret
  meta: ProfileMeta
}> = { name: 'createWebhookSubscription', method: 'POST', path: '/api/v1/webhooks/subscriptions', takesKey: true }

/** Change, pause or resume a subscription */
export const updateWebhookSubscription: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UpdateWebhookSubscriptionRequest }, {
  /** The result */
  data: Subscription
  meta: ProfileMeta
}> = { name: 'updateWebhookSubscription', method: 'PATCH', path: '/api/v1/webhooks/subscriptions/{id}', takesKey: true }

/** Delete a subscription */
export const deleteWebhookSubscription: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteWebhookSubscription', method: 'DELETE', path: '/api/v1/webhooks/subscriptions/{id}', takesKey: true }

/** Rotate the signing secret with a grace period */
export const rotateWebhookSecret: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: RotateWebhookSecretRequest }, {
  /** The result */
  data: SubscriptionWithSecret
  meta: ProfileMeta
}> = { name: 'rotateWebhookSecret', method: 'POST', path: '/api/v1/webhooks/subscriptions/{id}/rotate-secret', takesKey: true }

/** Send a synthetic, correctly signed event to a subscription */
export const testWebhookSubscription: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: TestWebhookSubscriptionRequest }, {
  /** The result */
  data: TestWebhookSubscriptionReply
  meta: ProfileMeta
}> = { name: 'testWebhookSubscription', method: 'POST', path: '/api/v1/webhooks/test/{id}', takesKey: true }

/** Enqueue all matching events since a time that were not delivered */
export const recoverWebhookEvents: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: RecoverWebhookEventsRequest }, {
  /** The result */
  data: RecoverWebhookEventsReply
  meta: ProfileMeta
}> = { name: 'recoverWebhookEvents', method: 'POST', path: '/api/v1/webhooks/subscriptions/{id}/recover', takesKey: true }

/** Deliveries, newest first */
export const listWebhookDeliveries: Operation<{ query?: { cursor?: string; limit?: number; subscription_id?: string; status?: "pending" | "delivered" | "failed" | "cancelled"; profile_id?: string } }, {
  /** The rows */
  data: Array<Delivery>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listWebhookDeliveries', method: 'GET', path: '/api/v1/webhooks/deliveries' }

/** One delivery with its attempts */
export const getWebhookDelivery: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: GetWebhookDeliveryReply
  meta: ProfileMeta
}> = { name: 'getWebhookDelivery', method: 'GET', path: '/api/v1/webhooks/deliveries/{id}' }

/** Enqueue the stored payload of a delivery again */
export const replayWebhookDelivery: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: ReplayWebhookDeliveryRequest }, {
  /** The result */
  data: ReplayWebhookDeliveryReply
  meta: ProfileMeta
}> = { name: 'replayWebhookDelivery', method: 'POST', path: '/api/v1/webhooks/deliveries/{id}/replay', takesKey: true }

/** Replay outcome.recorded events in order */
export const listRecordedOutcomes: Operation<{ query?: { cursor?: string; limit?: number; outcome_type?: string; provider?: "crmsuite" | "regionalpay" | "hubspot"; profile_id?: string } }, {
  /** The rows */
  data: Array<RecordedOutcome>
  /** Whether there is another page, and its cursor */
  pagination: {
    /** Whether there is another page */
    has_next: boolean
    /** Cursor of the next page, as returned by the previous page */
    cursor: string
  }
  meta: ProfileMeta
}> = { name: 'listRecordedOutcomes', method: 'GET', path: '/api/v1/outcomes/recorded' }

/** Erase a customer's personal data, with a partner app's API key */
export const eraseCustomer: Operation<{ query?: { profile_id?: string }; body: EraseCustomerRequest }, {
  /** The result */
  data: ErasureReceipt
  meta: ProfileMeta
}> = { name: 'eraseCustomer', method: 'POST', path: '/api/v1/customers/erasures', takesKey: true }

/** Get the receipt of an erasure */
export const getErasure: Operation<{ params: { erasure_id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: ErasureReceipt
  meta: ProfileMeta
}> = { name: 'getErasure', method: 'GET', path: '/api/v1/customers/erasures/{erasure_id}' }

/** Erase a customer's personal data, as owner or admin */
export const eraseWorkspaceCustomer: Operation<{ params: { workspaceId: string }; body: EraseWorkspaceCustomerRequest }, {
  /** The result */
  data: ErasureReceipt
  meta: WorkspaceMeta
}> = { name: 'eraseWorkspaceCustomer', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/customer-erasures', takesKey: true }

/** Get the receipt of an erasure in one of the workspace's profiles */
export const getWorkspaceErasure: Operation<{ params: { workspaceId: string; erasure_id: string } }, {
  /** The result */
  data: ErasureReceipt
  meta: WorkspaceMeta
}> = { name: 'getWorkspaceErasure', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/customer-erasures/{erasure_id}' }

/** Export one customer's data, with a partner app's API key */
export const requestCustomerDataExport: Operation<{ query?: { profile_id?: string }; body: RequestCustomerDataExportRequest }, {
  /** The result */
  data: CustomerDataExport
  meta: ProfileMeta
}> = { name: 'requestCustomerDataExport', method: 'POST', path: '/api/v1/customers/data-exports', takesKey: true }

/** Export one customer's data, as owner or admin */
export const requestWorkspaceCustomerDataExport: Operation<{ params: { workspaceId: string }; body: RequestWorkspaceCustomerDataExportRequest }, {
  /** The result */
  data: CustomerDataExport
  meta: WorkspaceMeta
}> = { name: 'requestWorkspaceCustomerDataExport', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/customer-data-exports', takesKey: true }

/** List the exports of customers' data */
export const listWorkspaceCustomerDataExports: Operation<{ params: { workspaceId: string }; query?: { status?: "awaiting_identity" | "pending" | "ready" | "expired" | "failed" | "cancelled"; due?: "overdue"; cursor?: string; limit?: number } }, {
  /** The rows */
  data: Array<CustomerDataExport>
  pagination: Pagination
  meta: WorkspaceMeta
}> = { name: 'listWorkspaceCustomerDataExports', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/customer-data-exports' }

/** Get the receipt of an export of a customer's data */
export const getCustomerDataExport: Operation<{ params: { data_export_id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: CustomerDataExport
  meta: ProfileMeta
}> = { name: 'getCustomerDataExport', method: 'GET', path: '/api/v1/customers/data-exports/{data_export_id}' }

/** Cancel an export of a customer's data, or delete its file */
export const deleteCustomerDataExport: Operation<{ params: { data_export_id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteCustomerDataExport', method: 'DELETE', path: '/api/v1/customers/data-exports/{data_export_id}', takesKey: true }

/** Get the receipt of an export in one of the workspace's profiles */
export const getWorkspaceCustomerDataExport: Operation<{ params: { workspaceId: string; data_export_id: string } }, {
  /** The result */
  data: CustomerDataExport
  meta: WorkspaceMeta
}> = { name: 'getWorkspaceCustomerDataExport', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}' }

/** Cancel an export, or delete its file */
export const deleteWorkspaceCustomerDataExport: Operation<{ params: { workspaceId: string; data_export_id: string } }, null> = { name: 'deleteWorkspaceCustomerDataExport', method: 'DELETE', path: '/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}', takesKey: true }

/** State how the person was identified, or answer with the mailed code */
export const confirmCustomerDataExport: Operation<{ params: { data_export_id: string }; query?: { profile_id?: string }; body: {
  /** How the business made sure who asks */
  method: "account" | "reply_from_address" | "in_person" | "other"
  /** For the record; not part of the file */
  note?: string
} | {
  /** A code is mailed to the address stored for the customer */
  method: "mail_code"
  /** The code from the mail; without it, a new code is mailed */
  code?: string
} }, {
  /** The result */
  data: CustomerDataExport
  meta: ProfileMeta
}> = { name: 'confirmCustomerDataExport', method: 'POST', path: '/api/v1/customers/data-exports/{data_export_id}/identity-check' }

/** State how the person was identified, or enter the mailed code */
export const confirmWorkspaceCustomerDataExport: Operation<{ params: { workspaceId: string; data_export_id: string }; body: {
  /** How the business made sure who asks */
  method: "account" | "reply_from_address" | "in_person" | "other"
  /** For the record; not part of the file */
  note?: string
} | {
  /** A code is mailed to the address stored for the customer */
  method: "mail_code"
  /** The code from the mail; without it, a new code is mailed */
  code?: string
} }, {
  /** The result */
  data: CustomerDataExport
  meta: WorkspaceMeta
}> = { name: 'confirmWorkspaceCustomerDataExport', method: 'POST', path: '/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}/identity-check' }

/** Download the file of a customer's data */
export const downloadCustomerDataExport: Operation<{ params: { data_export_id: string }; query?: { profile_id?: string } }, Blob> = { name: 'downloadCustomerDataExport', method: 'GET', path: '/api/v1/customers/data-exports/{data_export_id}/file', isFile: true }

/** Download the file of a customer's data, as owner or admin */
export const downloadWorkspaceCustomerDataExport: Operation<{ params: { workspaceId: string; data_export_id: string } }, Blob> = { name: 'downloadWorkspaceCustomerDataExport', method: 'GET', path: '/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}/file', isFile: true }

/** Find pairs of customers that may be the same person */
export const scanMergeProposals: Operation<{ query?: { profile_id?: string }; body?: ScanMergeProposalsRequest }, {
  /** The result */
  data: ScanMergeProposalsReply
  meta: ProfileMeta
}> = { name: 'scanMergeProposals', method: 'POST', path: '/api/v1/identity/merge-proposals/scan', takesKey: true }

/** List pairs of customers that may be the same person, newest first */
export const listMergeProposals: Operation<{ query?: { status?: "open" | "snoozed" | "merged" | "dismissed"; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<MergeProposal>
  pagination: Pagination
  /** Proposals by status */
  status_counts: {
    /** Number of open proposals */
    open: number
    /** Number of snoozed proposals */
    snoozed: number
    /** Number of merged proposals */
    merged: number
    /** Number of dismissed proposals */
    dismissed: number
  }
  meta: ProfileMeta
}> = { name: 'listMergeProposals', method: 'GET', path: '/api/v1/identity/merge-proposals' }

/** Preview the merge of a proposal: the records that would move */
export const previewMergeProposal: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: MergePreview
  meta: ProfileMeta
}> = { name: 'previewMergeProposal', method: 'GET', path: '/api/v1/identity/merge-proposals/{id}/preview' }

/** Merge, dismiss or snooze a proposal */
export const decideMergeProposal: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: DecideMergeProposalRequest }, {
  /** The result */
  data: MergeProposal
  meta: ProfileMeta
}> = { name: 'decideMergeProposal', method: 'POST', path: '/api/v1/identity/merge-proposals/{id}/decide', takesKey: true }

/** Preview merging one customer into another: the records that would move */
export const previewMerge: Operation<{ query: { from_customer_id: string; into_customer_id: string; profile_id?: string } }, {
  /** The result */
  data: MergePreview
  meta: ProfileMeta
}> = { name: 'previewMerge', method: 'GET', path: '/api/v1/identity/merge-preview' }

/** List past merges into a customer, newest first */
export const listMerges: Operation<{ query: { customer_id: string; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the merge */
    audit_log_id: string
    /** The customer that is merged */
    from_customer_id: string
    /** The customer that remains after the merge */
    into_customer_id: string
    /** When the customers were merged */
    merged_at: string
    /** Id of the user who merged them; null for an API key */
    merged_by: string | null
    /** When it was undone; null if it was not */
    undone_at: string | null
    /** Id of the user who undid it; null for an API key */
    undone_by: string | null
  }>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listMerges', method: 'GET', path: '/api/v1/identity/merge-history' }

/** Undo a merge and separate the customers again */
export const undoMerge: Operation<{ params: { auditLogId: string }; query?: { profile_id?: string }; body?: UndoMergeRequest }, {
  /** The result */
  data: UndoMergeReply
  meta: ProfileMeta
}> = { name: 'undoMerge', method: 'POST', path: '/api/v1/identity/merges/{auditLogId}/undo', takesKey: true }

/** List links between identifiers that appeared in the same event */
export const listIdentityLinks: Operation<{ query?: { customer_id?: string; status?: LinkStatus; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<IdentityLink>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listIdentityLinks', method: 'GET', path: '/api/v1/identity/links' }

/** Accept or reject a link between identifiers */
export const decideIdentityLink: Operation<{ params: { id: string }; query?: { profile_id?: string }; body: DecideIdentityLinkRequest }, {
  /** The result */
  data: IdentityLink
  meta: ProfileMeta
}> = { name: 'decideIdentityLink', method: 'POST', path: '/api/v1/identity/links/{id}/decide', takesKey: true }

/** List customers whose email or phone can be repaired, and count duplicates */
export const scanIdentityRepairs: Operation<{ query?: { country?: string; limit?: number; offset?: string; profile_id?: string } }, {
  /** The result */
  data: ScanIdentityRepairsReply
  /** Whether there is another page, and its cursor */
  pagination: {
    /** Whether there is another page */
    has_next: boolean
    /** Rows to skip */
    offset: number
    /** Rows per page */
    limit: number
  }
  meta: ProfileMeta
}> = { name: 'scanIdentityRepairs', method: 'GET', path: '/api/v1/identity/repair-scan' }

/** Preview or apply the repairs of the repair scan */
export const repairIdentity: Operation<{ query?: { profile_id?: string }; body?: RepairIdentityRequest }, {
  /** The result */
  data: RepairIdentityReply
  meta: ProfileMeta
}> = { name: 'repairIdentity', method: 'POST', path: '/api/v1/identity/repair', takesKey: true }

/** Preview which customers a phone repair would split */
export const previewPhoneRepair: Operation<{ query?: { profile_id?: string }; body?: PreviewPhoneRepairRequest }, {
  /** The result */
  data: PreviewPhoneRepairReply
  meta: ProfileMeta
}> = { name: 'previewPhoneRepair', method: 'POST', path: '/api/v1/identity/phone-repairs/preview' }

/** Split customers that were merged by misread phone numbers */
export const startPhoneRepair: Operation<{ query?: { profile_id?: string }; body?: StartPhoneRepairRequest }, {
  /** The result */
  data: StartPhoneRepairReply
  meta: ProfileMeta
}> = { name: 'startPhoneRepair', method: 'POST', path: '/api/v1/identity/phone-repairs', takesKey: true }

/** List phone repairs of the profile, newest first */
export const listPhoneRepairs: Operation<{ query?: { cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<{
    /** Id of the phone repair */
    id: string
    /** State of the phone repair */
    status: "applying" | "applied" | "undoing" | "undone"
    /** Whether numbers without a known country are also repaired */
    include_unresolved: boolean
    /** Events reprocessed so far */
    events: number
    /** When it was created */
    created_at: string
    /** When it ended; null until then */
    finished_at: string | null
  }>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listPhoneRepairs', method: 'GET', path: '/api/v1/identity/phone-repairs' }

/** Undo a phone repair and restore the earlier identifiers of its events */
export const undoPhoneRepair: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UndoPhoneRepairRequest }, {
  /** The result */
  data: UndoPhoneRepairReply
  meta: ProfileMeta
}> = { name: 'undoPhoneRepair', method: 'POST', path: '/api/v1/identity/phone-repairs/{id}/undo', takesKey: true }

/** Create a signed token for a link to a known customer */
export const createLinkToken: Operation<{ query?: { profile_id?: string }; body: CreateLinkTokenRequest }, {
  /** The result */
  data: CreateLinkTokenReply
  meta: ProfileMeta
}> = { name: 'createLinkToken', method: 'POST', path: '/api/v1/identity/link-tokens', takesKey: true }

/** Report that a customer wrote a chat code */
export const resolveChatCode: Operation<{ query?: { profile_id?: string }; body: ResolveChatCodeRequest }, {
  /** The result */
  data: ResolveChatCodeReply
  meta: ProfileMeta
}> = { name: 'resolveChatCode', method: 'POST', path: '/api/v1/conversations/chat-codes/resolve', takesKey: true }

/** List conversations, most recent message first */
export const listConversations: Operation<{ query?: { channel?: "chatapp" | "photoapp" | "pagechat"; customer_id?: string; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<Conversation>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listConversations', method: 'GET', path: '/api/v1/conversations' }

/** Get a conversation with its messages */
export const getConversation: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: GetConversationReply
  meta: ProfileMeta
}> = { name: 'getConversation', method: 'GET', path: '/api/v1/conversations/{id}' }

/** List the chat-app templates as of the last sync */
export const listChatTemplates: Operation<{ query?: { name?: string; language?: string; insights_days?: string; profile_id?: string } }, {
  /** The rows */
  data: Array<ChatTemplate>
  meta: ProfileMeta
}> = { name: 'listChatTemplates', method: 'GET', path: '/api/v1/chatapp/templates' }

/** Submit a chat-app template for review */
export const createChatTemplate: Operation<{ query?: { profile_id?: string }; body: CreateChatTemplateRequest }, {
  /** The result */
  data: ChatTemplate
  meta: ProfileMeta
}> = { name: 'createChatTemplate', method: 'POST', path: '/api/v1/chatapp/templates', takesKey: true }

/** Refresh the chat accounts and their templates */
export const syncChatTemplates: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: SyncChatTemplatesReply
  meta: ProfileMeta
}> = { name: 'syncChatTemplates', method: 'POST', path: '/api/v1/chatapp/templates/sync', takesKey: true }

/** Search customers, or list those with a conversion */
export const listCustomers: Operation<{ query?: { search?: string; sort?: CustomerSort; order?: "desc" | "asc"; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<Customer>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listCustomers', method: 'GET', path: '/api/v1/customers' }

/** One customer with the whole journey */
export const getCustomer: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: GetCustomerReply
  meta: ProfileMeta
}> = { name: 'getCustomer', method: 'GET', path: '/api/v1/customers/{id}' }

/** Visitors, most recent first */
export const listVisitors: Operation<{ query?: { cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<Visitor>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listVisitors', method: 'GET', path: '/api/v1/visitors' }

/** Live activity on the site */
export const getRealtime: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetRealtimeReply
  meta: ProfileMeta
}> = { name: 'getRealtime', method: 'GET', path: '/api/v1/realtime' }

/** Preview reports under changed attribution rules */
export const whatIf: Operation<{ query: { date_from: string; date_to: string; model?: ModelParam; changed_model?: "last_touch" | "first_touch" | "linear" | "time_decay" | "last_non_direct"; lookback_days?: number; first_touch_lookback_days?: number; half_life_days?: number; channel_rules?: string; without_goal_ids?: string; profile_id?: string } }, {
  /** The result */
  data: WhatIfReply
  meta: WhatIfMeta
}> = { name: 'whatIf', method: 'GET', path: '/api/v1/attribution/what-if' }

/** Destinations of the profile’s data exports */
export const listDataDestinations: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<DataDestination>
  meta: ProfileMeta
}> = { name: 'listDataDestinations', method: 'GET', path: '/api/v1/data-exports/destinations' }

/** Create a destination that receives all tables as Parquet files */
export const createDataDestination: Operation<{ query?: { profile_id?: string }; body: {
  /** Storage service that receives the files */
  kind: "file"
  /** Bucket and folder that receive the files */
  target: {
    /** Folder inside the profile’s folder in DATA_EXPORT_DIR */
    folder: string
  }
  /** Name of the destination, as people see it */
  name: string
  /** Tables of the export */
  tables?: Array<"events" | "customers" | "identities" | "touches" | "conversions" | "payments" | "refunds" | "credits" | "paths" | "campaigns" | "ad_sets" | "ads" | "ad_versions" | "creatives" | "delivery" | "rates" | "daily">
  /** True to include hashed identifiers */
  include_identifiers?: boolean
  /** How often the tables are written */
  schedule?: "hourly" | "daily" | "on_demand"
  /** Whether it is enabled */
  enabled?: boolean
} | {
  /** Storage service that receives the files */
  kind: "s3"
  /** Bucket and folder that receive the files */
  target: {
    /** Address of the store, such as https://s3.eu-west-1.amazonaws.com */
    endpoint: string
    /** Region that requests are signed for */
    region: string
    /** Name of the bucket */
    bucket: string
    /** Path inside the bucket; empty for its root */
    prefix?: string
    /** Put the bucket in the path instead of the host name */
    path_style?: boolean
    /** Encryption header sent with every file; null: none */
    server_side_encryption?: "AES256" | "aws:kms" | null
    /** Access key of a user that may write and delete under the prefix */
    access_key_id: string
    /** Stored encrypted and never returned */
    secret_access_key: string
  }
  /** Name of the destination, as people see it */
  name: string
  /** Tables of the export */
  tables?: Array<"events" | "customers" | "identities" | "touches" | "conversions" | "payments" | "refunds" | "credits" | "paths" | "campaigns" | "ad_sets" | "ads" | "ad_versions" | "creatives" | "delivery" | "rates" | "daily">
  /** True to include hashed identifiers */
  include_identifiers?: boolean
  /** How often the tables are written */
  schedule?: "hourly" | "daily" | "on_demand"
  /** Whether it is enabled */
  enabled?: boolean
} }, {
  /** The result */
  data: DataDestination
  meta: ProfileMeta
}> = { name: 'createDataDestination', method: 'POST', path: '/api/v1/data-exports/destinations', takesKey: true }

/** Change, enable or disable a destination */
export const updateDataDestination: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UpdateDataDestinationRequest }, {
  /** The result */
  data: DataDestination
  meta: ProfileMeta
}> = { name: 'updateDataDestination', method: 'PATCH', path: '/api/v1/data-exports/destinations/{id}', takesKey: true }

/** Delete a destination */
export const deleteDataDestination: Operation<{ params: { id: string }; query?: { profile_id?: string } }, null> = { name: 'deleteDataDestination', method: 'DELETE', path: '/api/v1/data-exports/destinations/{id}', takesKey: true }

/** Test a destination by writing and removing a small file */
export const testDataDestination: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: TestDataDestinationReply
  meta: ProfileMeta
}> = { name: 'testDataDestination', method: 'POST', path: '/api/v1/data-exports/destinations/{id}/test', takesKey: true }

/** Start a data export of what changed, or of everything */
export const startDataRun: Operation<{ query?: { profile_id?: string }; body: StartDataRunRequest }, {
  /** The result */
  data: DataRun
  meta: ProfileMeta
}> = { name: 'startDataRun', method: 'POST', path: '/api/v1/data-exports/runs', takesKey: true }

/** The last 50 data export runs */
export const listDataRuns: Operation<{ query?: { destination_id?: string; profile_id?: string } }, {
  /** The rows */
  data: Array<DataRun>
  meta: ProfileMeta
}> = { name: 'listDataRuns', method: 'GET', path: '/api/v1/data-exports/runs' }

/** One data export run: status, rows, bytes and days written */
export const getDataRun: Operation<{ params: { id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: DataRun
  meta: ProfileMeta
}> = { name: 'getDataRun', method: 'GET', path: '/api/v1/data-exports/runs/{id}' }

/** The columns of every exported table */
export const getDataSchema: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: GetDataSchemaReply
  meta: ProfileMeta
}> = { name: 'getDataSchema', method: 'GET', path: '/api/v1/data-exports/schema' }

/** Export destinations */
export const listExportDestinations: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<ExportDestination>
  meta: ProfileMeta
}> = { name: 'listExportDestinations', method: 'GET', path: '/api/v1/exports/destinations' }

/** Create an export destination, which sends conversions to an ad platform */
export const createExportDestination: Operation<{ query?: { profile_id?: string }; body: {
  /** Ad platform that receives the conversions */
  kind: "social"
  /** Optional if exactly one ad account is connected */
  connection_id?: string
  /** Id of the pixel at the platform */
  social_pixel_id: string
  /** Only conversions of this source are sent; default: all */
  data_source?: DataSourceKind
  /** Name of the destination, as people see it */
  display_name?: string
  event_map?: EventMapInput
  /** The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id */
  event_id_source?: string
  /** Whether it is enabled */
  enabled?: boolean
  /** The platform’s code for test events; null if there is none */
  test_event_code?: string | null
} | {
  /** Ad platform that receives the conversions */
  kind: "engine"
  /** Id of the connection */
  connection_id: string
  /** Google’s id of the conversion action */
  engine_conversion_action: string
  /** Name of the destination, as people see it */
  display_name?: string
  event_map?: EventMapInput
  /** The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id */
  event_id_source?: string
  /** Whether it is enabled */
  enabled?: boolean
  /** The platform’s code for test events; null if there is none */
  test_event_code?: string | null
} | {
  /** Ad platform that receives the conversions */
  kind: "shortvideo"
  /** TikTok pixel code */
  shortvideo_pixel_code: string
  /** Stored encrypted and never returned */
  access_token: string
  /** Name of the destination, as people see it */
  display_name?: string
  event_map?: EventMapInput
  /** The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id */
  event_id_source?: string
  /** Whether it is enabled */
  enabled?: boolean
  /** The platform’s code for test events; null if there is none */
  test_event_code?: string | null
} | {
  /** Ad platform that receives the conversions */
  kind: "microsoft"
  /** Id of the connection */
  connection_id: string
  /** A UET tag of the connected account */
  microsoft_uet_tag_id: string
  /** Name of the destination, as people see it */
  display_name?: string
  event_map?: EventMapInput
  /** The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id */
  event_id_source?: string
  /** Whether it is enabled */
  enabled?: boolean
} | {
  /** Ad platform that receives the conversions */
  kind: "linkedin"
  /** Id of the connection */
  connection_id: string
  /** A conversion rule of the ad account whose method is Conversions API */
  linkedin_conversion_id: string
  /** Name of the destination, as people see it */
  display_name?: string
  event_map?: EventMapInput
  /** The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id */
  event_id_source?: string
  /** Whether it is enabled */
  enabled?: boolean
} }, {
  /** The result */
  data: ExportDestination
  meta: ProfileMeta
}> = { name: 'createExportDestination', method: 'POST', path: '/api/v1/exports/destinations', takesKey: true }

/** Change, enable or disable an export destination */
export const updateExportDestination: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: UpdateExportDestinationRequest }, {
  /** The result */
  data: ExportDestination
  meta: ProfileMeta
}> = { name: 'updateExportDestination', method: 'PATCH', path: '/api/v1/exports/destinations/{id}', takesKey: true }

/** Preview the exact payload for the platform */
export const previewExportDestination: Operation<{ params: { id: string }; query?: { conversion_id?: string; limit?: number; profile_id?: string } }, {
  /** The result */
  data: ExportPreview
  meta: ProfileMeta
}> = { name: 'previewExportDestination', method: 'GET', path: '/api/v1/exports/destinations/{id}/preview' }

/** Settings of data sharing with the ad platforms */
export const getConversionSyncCatalog: Operation<{ query?: { profile_id?: string } }, {
  /** The result */
  data: ConversionSyncCatalog
  meta: ProfileMeta
}> = { name: 'getConversionSyncCatalog', method: 'GET', path: '/api/v1/conversion-sync/catalog' }

/** Set data sharing with the ad platforms, and the privacy mode */
export const saveConversionSyncCatalog: Operation<{ query?: { profile_id?: string }; body: SaveConversionSyncCatalogRequest }, {
  /** The result */
  data: ConversionSyncCatalog
  meta: ProfileMeta
}> = { name: 'saveConversionSyncCatalog', method: 'PUT', path: '/api/v1/conversion-sync/catalog', takesKey: true }

/** Export runs, newest first */
export const listExportRuns: Operation<{ query?: { destination_id?: string; status?: "queued" | "sent" | "failed" | "skipped"; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<ExportRun>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listExportRuns', method: 'GET', path: '/api/v1/exports/runs' }

/** Read one export run */
export const getExportRun: Operation<{ params: { run_id: string }; query?: { profile_id?: string } }, {
  /** The result */
  data: ExportRun
  meta: ProfileMeta
}> = { name: 'getExportRun', method: 'GET', path: '/api/v1/exports/runs/{run_id}' }

/** Status of each conversion at each destination, newest first */
export const listExportLedger: Operation<{ query?: { destination_id?: string; conversion_id?: string; run_id?: string; status?: "queued" | "sent" | "failed" | "skipped"; cursor?: string; limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<ExportLedgerRow>
  pagination: Pagination
  meta: ProfileMeta
}> = { name: 'listExportLedger', method: 'GET', path: '/api/v1/exports/ledger' }

/** Sources whose conversions can be sent */
export const listConversionDataSources: Operation<{ query?: { profile_id?: string } }, {
  /** The rows */
  data: Array<ConversionDataSource>
  meta: ProfileMeta
}> = { name: 'listConversionDataSources', method: 'GET', path: '/api/v1/conversion-sync/data-sources' }

/** Send conversions to a clean dataset, or back to the existing one */
export const setPlatformSafeTarget: Operation<{ query?: { profile_id?: string }; body: SetPlatformSafeTargetRequest }, {
  /** The result */
  data: SetPlatformSafeTargetReply
  meta: ProfileMeta
}> = { name: 'setPlatformSafeTarget', method: 'POST', path: '/api/v1/conversion-sync/platform-safe/target', takesKey: true }

/** Add customers to a customer list at an ad platform, or remove them */
export const sendCustomerList: Operation<{ query?: { profile_id?: string }; body: SendCustomerListRequest }, {
  /** The result */
  data: SendCustomerListReply
  meta: ProfileMeta
}> = { name: 'sendCustomerList', method: 'POST', path: '/api/v1/partner/audiences/customer-list', takesKey: true }

/** Create or update a customer list from a filter */
export const createAudience: Operation<{ query?: { profile_id?: string }; body: CreateAudienceRequest }, {
  /** The result */
  data: CreateAudienceReply
  meta: ProfileMeta
}> = { name: 'createAudience', method: 'POST', path: '/api/v1/audiences', takesKey: true }

/** Exclude customers from every audience */
export const saveAudienceExclusions: Operation<{ params: { profileId: string }; body: SaveAudienceExclusionsRequest }, {
  /** The result */
  data: SaveAudienceExclusionsReply
  meta: SaveAudienceExclusionsMeta
}> = { name: 'saveAudienceExclusions', method: 'PUT', path: '/api/v1/profiles/{profileId}/audience-exclusions', takesKey: true }

/** Send a synthetic conversion with the test event code */
export const sendTestEvent: Operation<{ params: { id: string }; query?: { profile_id?: string }; body?: SendTestEventRequest }, {
  /** The result */
  data: SendTestEventReply
  meta: ProfileMeta
}> = { name: 'sendTestEvent', method: 'POST', path: '/api/v1/exports/destinations/{id}/test-event', takesKey: true }

/** Get the state of the service: processes, queues and lag */
export const getOperatorStatus: Operation<{  }, {
  /** The result */
  data: GetOperatorStatusReply
  meta: Meta
}> = { name: 'getOperatorStatus', method: 'GET', path: '/api/v1/operator/status' }

/** List dead jobs, quarantined events or stuck deliveries */
export const listProblems: Operation<{ params: { kind: ProblemKind }; query?: { limit?: number; profile_id?: string } }, {
  /** The rows */
  data: Array<Problem>
  meta: Meta
}> = { name: 'listProblems', method: 'GET', path: '/api/v1/operator/problems/{kind}' }

/** Get a problem with its details */
export const getProblem: Operation<{ params: { kind: ProblemKind; id: string } }, {
  /** The result */
  data: GetProblemReply
  meta: Meta
}> = { name: 'getProblem', method: 'GET', path: '/api/v1/operator/problems/{kind}/{id}' }

/** Retry a problem now */
export const retryProblem: Operation<{ params: { kind: ProblemKind; id: string }; body?: RetryProblemRequest }, {
  /** The result */
  data: RetryProblemReply
  meta: Meta
}> = { name: 'retryProblem', method: 'POST', path: '/api/v1/operator/problems/{kind}/{id}/retry', takesKey: true }

/** Drop a problem, with a reason */
export const dropProblem: Operation<{ params: { kind: ProblemKind; id: string }; body: DropProblemRequest }, {
  /** The result */
  data: DropProblemReply
  meta: Meta
}> = { name: 'dropProblem', method: 'POST', path: '/api/v1/operator/problems/{kind}/{id}/drop', takesKey: true }

/** List what operators retried and dropped */
export const listOperatorActions: Operation<{  }, {
  /** The rows */
  data: Array<{
    /** Id of the action */
    id: string
    /** Null for a command on the host */
    user_id: string | null
    /** What the operator did, `retry` or `drop` */
    action: "retry" | "drop"
    kind: ProblemKind
    /** What the operator acted on */
    subject: string
    /** Id of the profile; null if it belongs to none */
    profile_id: string | null
    /** Why the operator did it; null if none was given */
    reason: string | null
    /** When it happened */
    occurred_at: string
  }>
  meta: Meta
}> = { name: 'listOperatorActions', method: 'GET', path: '/api/v1/operator/log' }
