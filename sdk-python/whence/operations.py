# Generated from openapi.json by npm run generate.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union

from .calls import Caller, RawBody
from .types import (
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
    Channel,
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
)


class SignUp_reply(TypedDict):
    data: SignedIn
    """The result"""
    meta: Meta

class SignIn_reply_data_2_second_factor(TypedDict):
    """What the sign-in still needs"""

    challenge: str
    """For `POST /auth/second-factor`"""
    kinds: list[Literal["totp", "passkey", "recovery_code"]]
    """Any one of these is enough"""
    passkey: Union[dict[str, Any], None]
    """Options for the browser; null without a passkey"""
    expires_at: str
    """When it expires"""

class SignIn_reply_data_2(TypedDict):
    second_factor: SignIn_reply_data_2_second_factor
    """What the sign-in still needs"""

class SignIn_reply(TypedDict):
    data: Union[SignedIn, SignIn_reply_data_2]
    """The result"""
    meta: Meta

class GetMe_reply(TypedDict):
    data: GetMeReply
    """The result"""
    meta: Meta

class GetAuthOptions_reply(TypedDict):
    data: GetAuthOptionsReply
    """The result"""
    meta: Meta

class SendVerification_reply(TypedDict):
    data: None
    """The result"""
    meta: Meta

class ConfirmAddress_reply(TypedDict):
    data: User
    """The result"""
    meta: Meta

class ChangeEmail_reply(TypedDict):
    data: None
    """The result"""
    meta: Meta

class RequestPasswordReset_reply(TypedDict):
    data: None
    """The result"""
    meta: Meta

class RequestSignInLink_reply(TypedDict):
    data: None
    """The result"""
    meta: Meta

class SignInByLink_reply_data_2_second_factor(TypedDict):
    """What the sign-in still needs"""

    challenge: str
    """For `POST /auth/second-factor`"""
    kinds: list[Literal["totp", "passkey", "recovery_code"]]
    """Any one of these is enough"""
    passkey: Union[dict[str, Any], None]
    """Options for the browser; null without a passkey"""
    expires_at: str
    """When it expires"""

class SignInByLink_reply_data_2(TypedDict):
    second_factor: SignInByLink_reply_data_2_second_factor
    """What the sign-in still needs"""

class SignInByLink_reply(TypedDict):
    data: Union[SignedIn, SignInByLink_reply_data_2]
    """The result"""
    meta: Meta

class FinishSignIn_reply(TypedDict):
    data: SignedIn
    """The result"""
    meta: Meta

class OfferPasskey_reply(TypedDict):
    data: OfferPasskeyReply
    """The result"""
    meta: Meta

class SignInByPasskey_reply(TypedDict):
    data: SignedIn
    """The result"""
    meta: Meta

class GetFactors_reply(TypedDict):
    data: GetFactorsReply
    """The result"""
    meta: Meta

class AddFactor_reply(TypedDict):
    data: AddFactorReply
    """The result"""
    meta: Meta

class ConfirmFactor_reply(TypedDict):
    data: ConfirmFactorReply
    """The result"""
    meta: Meta

class CreateRecoveryCodes_reply(TypedDict):
    data: CreateRecoveryCodesReply
    """The result"""
    meta: Meta

class OfferReauthentication_reply(TypedDict):
    data: OfferReauthenticationReply
    """The result"""
    meta: Meta

class ListSessions_reply_data_item(TypedDict):
    id: str
    """Id of the session"""
    is_current: bool
    """True for the session of this request"""
    device: Union[str, None]
    """Browser and operating system, as the browser reports them; null if unknown"""
    address: Union[str, None]
    """Network address at the sign-in; null if it was not recorded"""
    country: Union[str, None]
    """Country code of the address; null if unknown"""
    methods: list[str]
    """How the session was opened, such as `password`, `totp`, `passkey`"""
    created_at: str
    """When it was created"""
    last_used_at: str
    """To about a minute"""

class ListSessions_reply(TypedDict):
    data: list[ListSessions_reply_data_item]
    """The rows"""
    meta: Meta

class ListWorkspaces_reply(TypedDict):
    data: list[Workspace]
    """The rows"""
    meta: Meta

class CreateWorkspace_reply(TypedDict):
    data: CreateWorkspaceReply
    """The result"""
    meta: Meta

class ArchiveWorkspace_reply(TypedDict):
    data: ArchiveWorkspaceReply
    """The result"""
    meta: ArchiveWorkspaceMeta

class GetSubscription_reply(TypedDict):
    data: GetSubscriptionReply
    """The result"""
    meta: WorkspaceMeta

class GetComplianceOverview_reply(TypedDict):
    data: ComplianceOverview
    """The result"""
    meta: WorkspaceMeta

class UpdateComplianceOverview_reply(TypedDict):
    data: ComplianceOverview
    """The result"""
    meta: WorkspaceMeta

class GetReportingCurrency_reply(TypedDict):
    data: ReportingCurrency
    """The result"""
    meta: WorkspaceMeta

class UpdateReportingCurrency_reply(TypedDict):
    data: ReportingCurrency
    """The result"""
    meta: WorkspaceMeta

class CreateCheckoutSession_reply(TypedDict):
    data: CreateCheckoutSessionReply
    """The result"""
    meta: WorkspaceMeta

class CreateBillingPortalSession_reply(TypedDict):
    data: CreateBillingPortalSessionReply
    """The result"""
    meta: WorkspaceMeta

class SelectStorePlan_reply(TypedDict):
    data: SelectStorePlanReply
    """The result"""
    meta: WorkspaceMeta

class ListWorkspaceProfiles_reply(TypedDict):
    data: list[Profile]
    """The rows"""
    meta: ListWorkspaceProfilesMeta

class ListProfiles_reply(TypedDict):
    data: list[Profile]
    """The rows"""
    meta: Meta

class CreateProfile_reply(TypedDict):
    data: CreateProfileReply
    """The result"""
    meta: Meta

class GetReadiness_reply(TypedDict):
    data: GetReadinessReply
    """The result"""
    meta: GetReadinessMeta

class UpdateProfile_reply(TypedDict):
    data: Profile
    """The result"""
    meta: Meta

class ArchiveProfile_reply(TypedDict):
    data: ArchiveProfileReply
    """The result"""
    meta: AppMeta

class AdoptProfile_reply(TypedDict):
    data: AdoptProfileReply
    """The result"""
    meta: AppMeta

class SetEntitlement_reply(TypedDict):
    data: SetEntitlementReply
    """The result"""
    meta: AppMeta

class ListApiKeys_reply(TypedDict):
    data: list[ApiKey]
    """The rows"""
    meta: WorkspaceMeta

class CreateApiKey_reply(TypedDict):
    data: MintedApiKey
    """The result"""
    meta: WorkspaceMeta

class RevokeApiKey_reply(TypedDict):
    data: RevokeApiKeyReply
    """The result"""
    meta: WorkspaceMeta

class RotateApiKey_reply(TypedDict):
    data: RotateApiKeyReply
    """The result"""
    meta: WorkspaceMeta

class GetApiUsage_reply(TypedDict):
    data: GetApiUsageReply
    """The result"""
    meta: WorkspaceMeta

class ListUserTokens_reply(TypedDict):
    data: list[UserToken]
    """The rows"""
    meta: Meta

class CreateUserToken_reply(TypedDict):
    data: CreateUserTokenReply
    """The result"""
    meta: Meta

class ListMembers_reply(TypedDict):
    data: list[Member]
    """The rows"""
    meta: WorkspaceOrAppMeta

class PutMember_reply(TypedDict):
    data: Member
    """The result"""
    meta: WorkspaceOrAppMeta

class ListInvitations_reply(TypedDict):
    data: list[Invitation]
    """The rows"""
    meta: WorkspaceMeta

class InviteMember_reply(TypedDict):
    data: InviteMemberReply
    """The result"""
    meta: WorkspaceMeta

class ListProfileInvitations_reply(TypedDict):
    data: list[Invitation]
    """The rows"""
    meta: WorkspaceMeta

class InviteProfileMember_reply(TypedDict):
    data: InviteProfileMemberReply
    """The result"""
    meta: WorkspaceMeta

class AcceptInvitation_reply(TypedDict):
    data: AcceptInvitationReply
    """The result"""
    meta: Meta

class UpdateProfileMember_reply(TypedDict):
    data: UpdateProfileMemberReply
    """The result"""
    meta: WorkspaceMeta

class GetSignInPolicy_reply(TypedDict):
    data: SignInPolicy
    """The result"""
    meta: WorkspaceMeta

class UpdateSignInPolicy_reply(TypedDict):
    data: SignInPolicy
    """The result"""
    meta: WorkspaceMeta

class ListOAuthApps_reply_data_item_dpa(TypedDict):
    """The data-processing agreement"""

    status: Literal["not_accepted", "accepted", "withdrawn"]
    """Whether the data-processing agreement is signed"""
    version: Union[str, None]
    """Version of the agreement that was signed; null if none was"""
    accepted_at: Union[str, None]
    """When it was accepted; null until then"""
    withdrawn_at: Union[str, None]
    """When it was withdrawn; null if it was not"""

class ListOAuthApps_reply_data_item_secrets_item(TypedDict):
    hint: str
    """First and last characters, to recognise it"""
    created_at: str
    """When it was created"""
    expires_at: Union[str, None]
    """When it expires; null if it does not"""

class ListOAuthApps_reply_data_item(TypedDict):
    id: str
    """Id of the partner app"""
    client_id: str
    """Public id of the app"""
    name: str
    """Name of the partner app"""
    logo_url: Union[str, None]
    """URL of the app’s logo; null if it has none"""
    redirect_uris: list[str]
    """Allowed redirect URIs after consent"""
    allowed_return_origins: list[str]
    """Origins that a hand-off may return to"""
    allowed_scopes: list[str]
    """Scopes that the app may request"""
    dpa: ListOAuthApps_reply_data_item_dpa
    """The data-processing agreement"""
    secrets: list[ListOAuthApps_reply_data_item_secrets_item]
    """Valid secrets, at most two"""
    created_at: str
    """When it was created"""
    updated_at: str
    """When it was last changed"""

class ListOAuthApps_reply(TypedDict):
    data: list[ListOAuthApps_reply_data_item]
    """The rows"""
    meta: WorkspaceMeta

class CreateOAuthApp_reply(TypedDict):
    data: CreateOAuthAppReply
    """The result"""
    meta: WorkspaceMeta

class UpdateOAuthApp_reply(TypedDict):
    data: UpdateOAuthAppReply
    """The result"""
    meta: WorkspaceMeta

class RotateOAuthAppSecret_reply(TypedDict):
    data: RotateOAuthAppSecretReply
    """The result"""
    meta: WorkspaceMeta

class AcceptDpa_reply(TypedDict):
    data: AcceptDpaReply
    """The result"""
    meta: WorkspaceMeta

class WithdrawDpa_reply(TypedDict):
    data: WithdrawDpaReply
    """The result"""
    meta: WorkspaceMeta

class ListConnectedApps_reply_data_item_app(TypedDict):
    """The authorised app"""

    id: str
    """Id of the partner app"""
    client_id: str
    """Public id of the app"""
    name: str
    """Name of the partner app"""
    logo_url: Union[str, None]
    """URL of the app’s logo; null if it has none"""

class ListConnectedApps_reply_data_item_created_item(TypedDict):
    kind: Literal["export_destination", "tracking_domain", "tracking_key", "webhook", "customer_list", "connection", "alert"]
    """What the app created"""
    id: str
    """Id of the object that the app created"""
    name: str
    """Name of the object that the app created"""

class ListConnectedApps_reply_data_item(TypedDict):
    id: str
    """Id of the authorization"""
    app: ListConnectedApps_reply_data_item_app
    """The authorised app"""
    profile_id: str
    """Id of the profile"""
    profile_name: str
    """Name of the profile"""
    grant: str
    """Grant of the app, such as `attribution`"""
    scopes: list[str]
    """Scopes of the credential"""
    authorized_by_user_id: Union[str, None]
    """Id of the user who authorised it; null if the app created the profile"""
    governs: bool
    """True if the app created or adopted the profile and still manages it"""
    created: list[ListConnectedApps_reply_data_item_created_item]
    """Resources that the app created under this authorization; they stop working when it is revoked"""
    created_at: str
    """When it was created"""

class ListConnectedApps_reply(TypedDict):
    data: list[ListConnectedApps_reply_data_item]
    """The rows"""
    meta: WorkspaceMeta

class GetBranding_reply(TypedDict):
    data: Branding
    """The result"""
    meta: WorkspaceMeta

class PutBranding_reply(TypedDict):
    data: Branding
    """The result"""
    meta: WorkspaceMeta

class UploadLogo_reply(TypedDict):
    data: Branding
    """The result"""
    meta: WorkspaceMeta

class ListAlerts_reply(TypedDict):
    data: list[Alert]
    """The rows"""
    meta: ProfileMeta

class CreateAlert_reply(TypedDict):
    data: Alert
    """The result"""
    meta: ProfileMeta

class UpdateAlert_reply(TypedDict):
    data: Alert
    """The result"""
    meta: ProfileMeta

class PreviewAlert_reply_data_fired_item(TypedDict):
    day: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    recovered_on: Union[str, None]
    """First day on which the condition no longer held; null while it fires"""
    figure: AlertFigure
    """Value of the monitored figure at that time"""

class PreviewAlert_reply_data(TypedDict):
    """The result"""

    days: int
    """The evaluated days, with the figure of each"""
    fired: list[PreviewAlert_reply_data_fired_item]
    """Days on which it would have fired"""
    unknown_days: int
    """Days without enough data for a verdict"""
    latest: AlertFigure
    """Figures of the newest closed day"""

class PreviewAlert_reply(TypedDict):
    data: Union[PreviewAlert_reply_data, None]
    """The result"""
    meta: ProfileMeta

class ListAlertLog_reply(TypedDict):
    data: list[AlertLogEntry]
    """The rows"""
    meta: ProfileMeta

class GetBrief_reply(TypedDict):
    data: GetBriefReply
    """The result"""
    meta: GetBriefMeta

class ListBriefReceivers_reply(TypedDict):
    data: ListBriefReceiversReply
    """The result"""
    meta: WorkspaceMeta

class PutBriefSubscription_reply(TypedDict):
    data: BriefSubscription
    """The result"""
    meta: WorkspaceMeta

class CreateBriefWebhook_reply(TypedDict):
    data: BriefWebhook
    """The result"""
    meta: WorkspaceMeta

class GetSenderDomain_reply(TypedDict):
    data: Union[SenderDomain, None]
    """The result"""
    meta: WorkspaceMeta

class RegisterSenderDomain_reply(TypedDict):
    data: SenderDomain
    """The result"""
    meta: WorkspaceMeta

class VerifySenderDomain_reply(TypedDict):
    data: SenderDomain
    """The result"""
    meta: WorkspaceMeta

class GetTabCounts_reply(TypedDict):
    data: GetTabCountsReply
    """The result"""
    meta: WorkspaceMeta

class MarkTabSeen_reply(TypedDict):
    data: MarkTabSeenReply
    """The result"""
    meta: WorkspaceMeta

class GenerateReports_reply(TypedDict):
    data: GenerateReportsReply
    """The result"""
    meta: WorkspaceMeta

class GetReportsHub_reply(TypedDict):
    data: GetReportsHubReply
    """The result"""
    meta: WorkspaceMeta

class ApproveReport_reply(TypedDict):
    data: ClientReport
    """The result"""
    meta: WorkspaceMeta

class PatchSchedules_reply_data_item(TypedDict):
    profile_id: str
    """Id of the profile"""
    status: Literal["created", "updated", "refused"]
    """Whether the schedule was changed"""
    reason: Union[Literal["recipients_required"], None]
    """Why the schedule was not changed; null if it was"""
    schedule: Union[ReportSchedule, None]
    """Schedule; null if there is none"""

class PatchSchedules_reply(TypedDict):
    data: list[PatchSchedules_reply_data_item]
    """The rows"""
    meta: WorkspaceMeta

class ListLiveLinks_reply(TypedDict):
    data: list[LiveLink]
    """The rows"""
    meta: WorkspaceMeta

class CreateLiveLink_reply(TypedDict):
    data: LiveLink
    """The result"""
    meta: WorkspaceMeta

class ListClients_reply_data_item_previous(TypedDict):
    """Figures of the preceding period of the same length"""

    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    revenue: Union[float, None]
    """All cash payments of the days, less refunds; null if an exchange rate is missing"""
    credited_revenue: Union[float, None]
    """Revenue credited to campaigns; null if an exchange rate is missing"""
    payments: int
    """Number of payments"""
    total_roas: Union[float, None]
    """Revenue divided by spend; null without spend"""
    roas: Union[float, None]
    """Ad ROAS: credited revenue divided by spend; null without spend"""

class ListClients_reply_data_item_pacing(TypedDict):
    """This month over all ad platforms, as in GET …/pacing; null without spend or budget"""

    status: Literal["under", "on", "over", "no_budget"]
    """Status of the platform that is furthest from its budget"""
    pacing_pct: Union[float, None]
    """Spend so far as a percentage of the planned spend to date; null without a budget"""
    budget: Union[float, None]
    """Budget of the month in the currency of the account; null without one"""
    spend_mtd: Union[float, None]
    """Ad spend since the start of the month; null if an exchange rate is missing"""

class ListClients_reply_data_item_health(TypedDict):
    """State of its data"""

    status: Literal["ok", "warning", "problem", "unknown"]
    """unknown: never checked"""
    connections: int
    """Number of its connected accounts"""
    broken_connections: int
    """Connections that need to be reconnected"""
    findings: int
    """Open findings of the doctor"""

class ListClients_reply_data_item_last_report(TypedDict):
    """Latest report; null if there is none"""

    report_id: str
    """Id of the report"""
    status: str
    """How far the report is"""
    created_at: str
    """When it was created"""
    sent_at: Union[str, None]
    """When it was sent; null until then"""

class ListClients_reply_data_item(TypedDict):
    profile_id: str
    """Id of the profile"""
    name: str
    """Name of the profile"""
    is_demo: bool
    """True for sample data"""
    timezone: str
    """IANA time zone, for example Europe/Madrid"""
    tags: list[str]
    """Tags of the client"""
    currency: str
    """Currency of the amounts in this row"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    revenue: Union[float, None]
    """All cash payments of the days, less refunds; null if an exchange rate is missing"""
    credited_revenue: Union[float, None]
    """Revenue credited to campaigns; null if an exchange rate is missing"""
    payments: int
    """Number of payments"""
    total_roas: Union[float, None]
    """Revenue divided by spend; null without spend"""
    roas: Union[float, None]
    """Ad ROAS: credited revenue divided by spend; null without spend"""
    fx_missing: int
    """Number of facts or days left out of the amounts because an exchange rate is missing"""
    previous: ListClients_reply_data_item_previous
    """Figures of the preceding period of the same length"""
    pacing: Union[ListClients_reply_data_item_pacing, None]
    """This month over all ad platforms, as in GET …/pacing; null without spend or budget"""
    health: ListClients_reply_data_item_health
    """State of its data"""
    alerts: int
    """Broken connections, open findings and firing alerts"""
    recommendations: int
    """Number of open recommendations"""
    last_report: Union[ListClients_reply_data_item_last_report, None]
    """Latest report; null if there is none"""

class ListClients_reply_totals_previous(TypedDict):
    """Figures of the preceding period of the same length"""

    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    revenue: Union[float, None]
    """All cash payments of the days, less refunds; null if an exchange rate is missing"""
    credited_revenue: Union[float, None]
    """Revenue credited to campaigns; null if an exchange rate is missing"""
    payments: int
    """Number of payments"""
    total_roas: Union[float, None]
    """Revenue divided by spend; null without spend"""
    roas: Union[float, None]
    """Ad ROAS: credited revenue divided by spend; null without spend"""

class ListClients_reply_totals(TypedDict):
    """Totals of all rows except the demo; null if the rows have several currencies"""

    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    revenue: Union[float, None]
    """All cash payments of the days, less refunds; null if an exchange rate is missing"""
    credited_revenue: Union[float, None]
    """Revenue credited to campaigns; null if an exchange rate is missing"""
    payments: int
    """Number of payments"""
    total_roas: Union[float, None]
    """Revenue divided by spend; null without spend"""
    roas: Union[float, None]
    """Ad ROAS: credited revenue divided by spend; null without spend"""
    currency: str
    """ISO 4217 code of the currency"""
    previous: ListClients_reply_totals_previous
    """Figures of the preceding period of the same length"""

class ListClients_reply(TypedDict):
    data: list[ListClients_reply_data_item]
    """The rows"""
    totals: Union[ListClients_reply_totals, None]
    """Totals of all rows except the demo; null if the rows have several currencies"""
    meta: ListClientsMeta

class TagClients_reply_data_item(TypedDict):
    profile_id: str
    """Id of the profile"""
    tags: list[str]
    """Tags of the client"""

class TagClients_reply(TypedDict):
    data: list[TagClients_reply_data_item]
    """The rows"""
    meta: WorkspaceMeta

class ListChanges_reply_data_item_actor(TypedDict):
    """Who did it"""

    kind: Literal["user", "app", "api_key", "service"]
    """Who acted: a person, an API key, an app or the service"""
    id: Union[str, None]
    """Id of the person, API key or app; null for the service"""

class ListChanges_reply_data_item(TypedDict):
    id: str
    """Id of the entry"""
    action: str
    """What was done, for example `goal.created`"""
    subject: Union[str, None]
    """Name of what was changed; null if it has none"""
    profile_id: Union[str, None]
    """Id of the profile; null if it belongs to none"""
    actor: ListChanges_reply_data_item_actor
    """Who did it"""
    detail: dict[str, Any]
    """What was changed; for settings, the values before and after"""
    request_id: Union[str, None]
    """Id of the request, also in the header X-Request-Id; null if no request caused it"""
    occurred_at: str
    """When it happened"""

class ListChanges_reply(TypedDict):
    data: list[ListChanges_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: WorkspaceMeta

class ListPersonAccess_reply_data_item_actor(TypedDict):
    """Who did it"""

    kind: Literal["user", "app", "api_key", "service"]
    """Who acted: a person, an API key, an app or the service"""
    id: Union[str, None]
    """Id of the person, API key or app; null for the service"""

class ListPersonAccess_reply_data_item(TypedDict):
    id: str
    """Id of the entry"""
    profile_id: str
    """Id of the profile"""
    actor: ListPersonAccess_reply_data_item_actor
    """Who did it"""
    route: str
    """Operation whose response showed the people"""
    customer_ids: list[str]
    """Ids of customers"""
    row_count: int
    """Number of people shown"""
    request_id: Union[str, None]
    """Id of the request, also in the header X-Request-Id; null if no request caused it"""
    occurred_at: str
    """When it happened"""

class ListPersonAccess_reply(TypedDict):
    data: list[ListPersonAccess_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: WorkspaceMeta

class GetMcpSettings_reply(TypedDict):
    data: McpSettings
    """The result"""
    meta: WorkspaceMeta

class PutMcpSettings_reply(TypedDict):
    data: McpSettings
    """The result"""
    meta: WorkspaceMeta

class ListMcpWritebacks_reply(TypedDict):
    data: list[McpWriteback]
    """The rows"""
    pagination: Pagination
    meta: WorkspaceMeta

class MintHandoff_reply(TypedDict):
    data: Handoff
    """The result"""
    meta: ProfileMeta

class GetHandoff_reply(TypedDict):
    data: Handoff
    """The result"""
    meta: GetHandoffMeta

class SendEvent_reply(TypedDict):
    data: EventResult
    """The result"""
    meta: ProfileMeta

class SendEvents_reply(TypedDict):
    data: SendEventsReply
    """The result"""
    meta: ProfileMeta

class LookUpEvents_reply(TypedDict):
    data: LookUpEventsReply
    """The result"""
    meta: ProfileMeta

class RetractEvent_reply(TypedDict):
    data: RetractEventReply
    """The result"""
    meta: ProfileMeta

class ListGoals_reply(TypedDict):
    data: list[Goal]
    """The rows"""
    meta: ProfileMeta

class CreateGoal_reply(TypedDict):
    data: Goal
    """The result"""
    meta: ProfileMeta

class UpdateGoal_reply(TypedDict):
    data: Goal
    """The result"""
    meta: ProfileMeta

class SetGoalTarget_reply(TypedDict):
    data: SetGoalTargetReply
    """The result"""
    meta: ProfileMeta

class ImportSpend_reply(TypedDict):
    data: ImportSpendReply
    """The result"""
    meta: ProfileMeta

class ListCampaigns_reply_data_item(TypedDict):
    campaign_id: str
    """Id of the campaign"""
    platform_id: str
    """The platform’s id"""
    campaign_name: Union[str, None]
    """Name of the campaign; null if the platform has not reported it"""
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: OutcomesByType
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    spend: Union[float, None]
    """Null if no exchange rate is known"""
    roas: Union[float, None]
    """`outcome_value` divided by `spend`; null without spend"""
    impressions: NotRequired[int]
    """Impressions, as the platform reports them"""
    clicks: NotRequired[int]
    """Clicks, as the platform reports them"""
    reach: NotRequired[Union[int, None]]
    """Unique accounts as reported by the platform for the range; null otherwise, because reach of days or ads does not add up"""
    ctr: NotRequired[Union[float, None]]
    """Clicks per 100 impressions; null without impressions"""
    avg_cpm: NotRequired[Union[float, None]]
    """Spend per 1,000 impressions; null without impressions"""
    avg_cpc: NotRequired[Union[float, None]]
    """Spend per click; null without clicks"""
    messaging_conversations_started_7d: NotRequired[Union[int, None]]
    """Conversations started within 7 days of a click, as the platform reports them; null if it does not"""
    entity_level: NotRequired[AdLevel]
    """campaign, ad_set or ad"""
    parent_name: NotRequired[Union[str, None]]
    """Name of the parent campaign or ad set; null for campaigns"""
    cac: NotRequired[Union[float, None]]
    """`spend` divided by `outcome_count`; null without payments or spend"""
    new_customer_count: NotRequired[int]
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: NotRequired[Union[float, None]]
    """Cash of these payments less refunds; null if an exchange rate is missing"""
    new_customer_cac: NotRequired[Union[float, None]]
    """`spend` divided by `new_customer_count`; null without new customers or spend"""
    new_customer_roas: NotRequired[Union[float, None]]
    """`new_customer_value` divided by `spend`; null without spend"""
    status: NotRequired[Union[str, None]]
    """Status of the campaign, ad set or ad at the platform; null if it does not report one"""
    objective: NotRequired[Union[str, None]]
    """Goal of the campaign, as the platform names it; null if it does not report one"""
    daily_budget: NotRequired[Union[float, None]]
    """Budget per day in the currency of the account; null if there is none"""
    platform_actions: NotRequired[list[Literal["pause", "resume", "budget"]]]
    """Changes that the connected platform currently accepts; empty for imported entities"""
    campaign_external_id: NotRequired[Union[str, None]]
    """The platform’s id of the campaign; null if it is not known"""
    ad_set_external_id: NotRequired[Union[str, None]]
    """The platform’s id of the ad set; null if it is not known"""

class ListCampaigns_reply(TypedDict):
    data: list[ListCampaigns_reply_data_item]
    """The rows"""
    total: CampaignTotal
    pagination: Pagination
    meta: ListCampaignsMeta

class CampaignTrend_reply(TypedDict):
    data: list[TrendRow]
    """The rows"""
    meta: ReportMeta

class AdTrend_reply_data_item(TypedDict):
    entity_id: str
    """Id of the campaign, ad set or ad"""
    date: str
    """Day, YYYY-MM-DD, in the time zone of the profile"""
    spend: Union[float, None]
    """Ad spend; null if the exchange rate is missing"""
    impressions: int
    """Impressions, as the platform reports them"""
    clicks: int
    """Clicks, as the platform reports them"""
    messaging_conversations_started_7d: Union[int, None]
    """Conversations started within 7 days of a click, as the platform reports them; null if it does not"""

class AdTrend_reply(TypedDict):
    data: list[AdTrend_reply_data_item]
    """The rows"""
    meta: ReportMeta

class GetDeclaredReport_reply(TypedDict):
    data: DeclaredReport
    """The result"""
    meta: ReportMeta

class GetUnattributed_reply(TypedDict):
    data: GetUnattributedReply
    """The result"""
    meta: ReportMeta

class ListUnattributedReasons_reply_data_item(TypedDict):
    reason: UnattributedReason
    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: OutcomesByType
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""

class ListUnattributedReasons_reply(TypedDict):
    data: list[ListUnattributedReasons_reply_data_item]
    """The rows"""
    meta: ReportMeta

class ListUnattributedConversions_reply_data_item(TypedDict):
    kind: Literal["conversion", "refund"]
    """Whether the row is a conversion or a refund"""
    conversion_id: str
    """Id of the conversion"""
    refund_id: Union[str, None]
    """Set on a refund; conversion_id is the refunded conversion; null otherwise"""
    outcome_event_id: str
    """Id of the event of the conversion"""
    outcome_type: str
    """Type of the outcome, for example payment_received or lead_created"""
    revenue_type: RevenueType
    occurred_at: str
    """When it happened"""
    value: Union[float, None]
    """Value of the conversion in `currency`; null if it has none"""
    currency: Union[str, None]
    """ISO 4217 code of the currency; null if there is no amount"""
    credit: float
    """The share of the conversion that was credited, from 0 to 1, exact to 1e-9"""
    credited_value: Union[float, None]
    """Value of the credit, less refunds; null if it is excluded or the exchange rate is missing"""
    source: Union[str, None]
    """Source of the visit; null if unknown"""

class ListUnattributedConversions_reply(TypedDict):
    data: list[ListUnattributedConversions_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: ReportMeta

class ListCampaignConversions_reply(TypedDict):
    data: list[CreditedConversion]
    """The rows"""
    pagination: Pagination
    meta: ReportMeta

class GetCampaign_reply(TypedDict):
    data: GetCampaignReply
    """The result"""
    meta: ReportMeta

class GetAd_reply(TypedDict):
    data: DetailedRow
    """The result"""
    meta: ReportMeta

class ComparePlatforms_reply(TypedDict):
    data: ComparePlatformsReply
    """The result"""
    meta: ReportMeta

class ExplainPlatformGap_reply(TypedDict):
    data: ExplainPlatformGapReply
    """The result"""
    meta: ReportMeta

class GetAdIdQuality_reply(TypedDict):
    data: GetAdIdQualityReply
    """The result"""
    meta: ReportMeta

class GetChannels_reply_total(TypedDict):
    """Sums of all rows"""

    outcome_count: int
    """Payments in which the row has a part"""
    outcome_credit: float
    """The sum of those parts, exact to 1e-9: rows and unattributed add up to all payments"""
    outcome_value: Union[float, None]
    """Credited cash less refunds; null if no exchange rate is known"""
    attributed_outcome_count: int
    """Conversions of all types that the row has credit for"""
    attributed_outcomes_by_type: OutcomesByType
    """`attributed_outcome_count` by `outcome_type`"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    spend: Union[float, None]
    """Null if no exchange rate is known"""
    roas: Union[float, None]
    """`outcome_value` divided by `spend`; null without spend"""
    cac: Union[float, None]
    """`spend` divided by `outcome_count`; null without payments or spend"""
    new_customer_count: int
    """First payments in which the row has a part; a deposit and its balance within 7 days count as one"""
    new_customer_value: Union[float, None]
    """Cash of these payments less refunds; null if an exchange rate is missing"""
    new_customer_cac: Union[float, None]
    """`spend` divided by `new_customer_count`; null without new customers or spend"""
    new_customer_roas: Union[float, None]
    """`new_customer_value` divided by `spend`; null without spend"""

class GetChannels_reply(TypedDict):
    data: list[ChannelRow]
    """The rows"""
    total: GetChannels_reply_total
    """Sums of all rows"""
    meta: ReportMeta

class GetJourneys_reply_total(TypedDict):
    """Number of distinct paths"""

    payments: int
    """Payments on these days"""
    customers: int
    """Distinct customers of these payments"""
    outcome_value: float
    """Cash of these days, refunds subtracted on their own days; over all paths it equals the revenue of GET /reports/overview"""
    fx_missing: int
    """Amounts left out because their exchange rate is missing"""
    paths: int
    """Distinct paths of these payments"""
    several_channels: int
    """Payments with more than one step"""

class GetJourneys_reply(TypedDict):
    data: list[JourneyPath]
    """The rows"""
    total: GetJourneys_reply_total
    """Number of distinct paths"""
    meta: GetJourneysMeta

class ListJourneyPayments_reply_data_item(TypedDict):
    conversion_id: str
    """Id of the conversion"""
    occurred_at: str
    """When it happened"""
    value: Union[float, None]
    """Amount paid, in `currency`; null if it is not known"""
    currency: Union[str, None]
    """ISO 4217 code of `value`; null if it is not known"""
    outcome_value: Union[float, None]
    """Amount less all its refunds, also later ones, in the profile’s currency; null if the exchange rate is missing"""

class ListJourneyPayments_reply(TypedDict):
    data: list[ListJourneyPayments_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: ReportMeta

class GetOverview_reply(TypedDict):
    data: GetOverviewReply
    """The result"""
    meta: ReportMeta

class GetCohorts_reply(TypedDict):
    data: list[Cohort]
    """The rows"""
    total: CohortTotal
    """All customers of the range, followed like a row"""
    meta: ReportMeta

class GetChanges_reply(TypedDict):
    data: GetChangesReply
    """The result"""
    meta: GetChangesMeta

class GetChannelRules_reply(TypedDict):
    data: GetChannelRulesReply
    """The result"""
    meta: ProfileMeta

class SaveChannelRules_reply(TypedDict):
    data: SaveChannelRulesReply
    """The result"""
    meta: ProfileMeta

class TestChannelRules_reply(TypedDict):
    data: TestChannelRulesReply
    """The result"""
    meta: ProfileMeta

class ListExchangeRates_reply(TypedDict):
    data: list[ExchangeRate]
    """The rows"""
    meta: ProfileMeta

class SaveExchangeRate_reply(TypedDict):
    data: ExchangeRate
    """The result"""
    meta: ProfileMeta

class ListAnnotations_reply(TypedDict):
    data: list[Annotation]
    """The rows"""
    meta: ListAnnotationsMeta

class CreateAnnotation_reply(TypedDict):
    data: Annotation
    """The result"""
    meta: ProfileMeta

class UpdateAnnotation_reply(TypedDict):
    data: Annotation
    """The result"""
    meta: ProfileMeta

class ListSavedViews_reply(TypedDict):
    data: list[SavedView]
    """The rows"""
    meta: ProfileMeta

class SaveView_reply(TypedDict):
    data: SavedView
    """The result"""
    meta: ProfileMeta

class ListNotifications_reply(TypedDict):
    data: list[Notification]
    """The rows"""
    unread_count: int
    """Number of unread notifications"""
    meta: ProfileMeta

class ReadNotifications_reply(TypedDict):
    data: ReadNotificationsReply
    """The result"""
    meta: ProfileMeta

class ListTopPerformers_reply(TypedDict):
    data: list[TopPerformerRow]
    """The rows"""
    meta: ListTopPerformersMeta

class ListWorkspaceTopPerformers_reply(TypedDict):
    data: list[WorkspaceTopPerformerRow]
    """The rows"""
    meta: ListWorkspaceTopPerformersMeta

class GetTopPerformersBrief_reply(TypedDict):
    data: GetTopPerformersBriefReply
    """The result"""
    meta: WorkspaceMeta

class ListSnapshots_reply(TypedDict):
    data: list[Snapshot]
    """The rows"""
    meta: WorkspaceMeta

class CaptureSnapshot_reply(TypedDict):
    data: Snapshot
    """The result"""
    meta: WorkspaceMeta

class GetAttributionSettings_reply(TypedDict):
    data: AttributionSettings
    """The result"""
    meta: ProfileMeta

class UpdateAttributionSettings_reply(TypedDict):
    data: UpdateAttributionSettingsReply
    """The result"""
    meta: ProfileMeta

class StartRecompute_reply(TypedDict):
    data: Recompute
    """The result"""
    meta: ProfileMeta

class ExplainConversion_reply(TypedDict):
    data: ExplainConversionReply
    """The result"""
    meta: ExplainConversionMeta

class ListPayments_reply(TypedDict):
    data: list[Payment]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class SetInstallment_reply(TypedDict):
    data: Payment
    """The result"""
    meta: ProfileMeta

class SetPayer_reply(TypedDict):
    data: Payment
    """The result"""
    meta: ProfileMeta

class RecordRefund_reply(TypedDict):
    data: Payment
    """The result"""
    meta: ProfileMeta

class DeleteRefund_reply(TypedDict):
    data: Payment
    """The result"""
    meta: ProfileMeta

class ListPaymentLinkage_reply_data_item_touch(TypedDict):
    """Last touch before the payment; null if there is none"""

    touch_id: str
    """Id of the visit or click"""
    occurred_at: str
    """When it happened"""
    channel: str
    """Channel, for example paid_social"""
    origin: str
    """How the visit was recorded, for example web or conversation_referral"""
    platform: Union[str, None]
    """Ad platform, for example social_ads; null if it is none"""

class ListPaymentLinkage_reply_data_item(TypedDict):
    payment_id: str
    """Id of the payment"""
    occurred_at: str
    """When it happened"""
    provider: str
    """Provider of the account, for example social_ads"""
    value: float
    """Amount in `currency`"""
    currency: str
    """ISO 4217 code of the currency"""
    customer_id: Union[str, None]
    """Id of the customer; null after an erasure, or if no customer is known"""
    linkage: Literal["ad", "ad_set", "campaign", "paid_click", "other_touch", "direct", "no_touch", "not_creditable"]
    """How closely the last touch is linked to an ad"""
    matched_by: Union[Literal["external_id", "crm_contact_id", "national_id", "email", "phone", "provider_customer_id", "anonymous_id"], None]
    """Identifier type that matched the touch; null without a touch"""
    touch: Union[ListPaymentLinkage_reply_data_item_touch, None]
    """Last touch before the payment; null if there is none"""
    campaign: Union[NamedEntity, None]
    """Campaign of the touch; null if it is not known"""
    ad_set: Union[NamedEntity, None]
    """Ad set of the touch; null if it is not known"""
    ad: Union[NamedEntity, None]
    """Ad of the touch; null if it is not known"""

class ListPaymentLinkage_reply(TypedDict):
    data: list[ListPaymentLinkage_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class ReportCardGatewayPayment_reply(TypedDict):
    data: ReportCardGatewayPaymentReply
    """The result"""
    meta: ProfileMeta

class ListAdPeople_reply(TypedDict):
    data: ListAdPeopleReply
    """The result"""
    meta: ListAdPeopleMeta

class SendAdReferral_reply(TypedDict):
    data: SendAdReferralReply
    """The result"""
    meta: ProfileMeta

class ListConnections_reply(TypedDict):
    data: list[Connection]
    """The rows"""
    meta: ProfileMeta

class GetConnection_reply(TypedDict):
    data: Connection
    """The result"""
    meta: ProfileMeta

class DisconnectConnection_reply(TypedDict):
    data: Connection
    """The result"""
    meta: ProfileMeta

class ListPixels_reply(TypedDict):
    data: ListPixelsReply
    """The result"""
    meta: ProfileMeta

class ListPendingChoices_reply_data_item(TypedDict):
    provider: ProviderParam
    accounts: int
    """Accounts that the person can choose from"""
    expires_at: str
    """When it expires"""

class ListPendingChoices_reply(TypedDict):
    data: list[ListPendingChoices_reply_data_item]
    """The rows"""
    meta: ProfileMeta

class ListCandidates_reply(TypedDict):
    data: list[Candidate]
    """The rows"""
    meta: ProfileMeta

class FinalizeConnection_reply(TypedDict):
    data: FinalizeConnectionReply
    """The result"""
    meta: ProfileMeta

class StartSync_reply(TypedDict):
    data: StartSyncReply
    """The result"""
    meta: ProfileMeta

class GetSyncStatus_reply(TypedDict):
    data: GetSyncStatusReply
    """The result"""
    meta: ProfileMeta

class ListStages_reply(TypedDict):
    data: ListStagesReply
    """The result"""
    meta: ProfileMeta

class SaveStages_reply(TypedDict):
    data: SaveStagesReply
    """The result"""
    meta: ProfileMeta

class PrefillOutcomes_reply(TypedDict):
    data: PrefillOutcomesReply
    """The result"""
    meta: ProfileMeta

class ListManualStores_reply(TypedDict):
    data: list[ManualStore]
    """The rows"""
    meta: ProfileMeta

class CreateManualStore_reply(TypedDict):
    data: ManualStore
    """The result"""
    meta: ProfileMeta

class SetSigningId_reply(TypedDict):
    data: ManualStore
    """The result"""
    meta: ProfileMeta

class ActivateWebPixel_reply(TypedDict):
    data: ActivateWebPixelReply
    """The result"""
    meta: ProfileMeta

class ListPages_reply(TypedDict):
    data: list[SocialPage]
    """The rows"""
    meta: ProfileMeta

class TrackPages_reply(TypedDict):
    data: list[SocialPage]
    """The rows"""
    meta: ProfileMeta

class ListAvailablePages_reply(TypedDict):
    data: list[SocialPage]
    """The rows"""
    meta: ProfileMeta

class GetChatbot_reply(TypedDict):
    data: Connection
    """The result"""
    meta: ProfileMeta

class SaveChatbot_reply(TypedDict):
    data: Connection
    """The result"""
    meta: ProfileMeta

class StartBankLink_reply(TypedDict):
    data: StartBankLinkReply
    """The result"""
    meta: ProfileMeta

class ConnectBankLink_reply(TypedDict):
    data: Connection
    """The result"""
    meta: ProfileMeta

class StartCalendarLink_reply(TypedDict):
    data: Handoff
    """The result"""
    meta: ProfileMeta

class ListCalendars_reply(TypedDict):
    data: list[Calendar]
    """The rows"""
    meta: ProfileMeta

class CreateCalendar_reply(TypedDict):
    data: Calendar
    """The result"""
    meta: ProfileMeta

class ListCalendarEvents_reply(TypedDict):
    data: list[CalendarEvent]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class ListMessagingAccounts_reply(TypedDict):
    data: list[MessagingAccount]
    """The rows"""
    meta: ProfileMeta

class ConnectMessagingAccount_body_1(TypedDict):
    channel: MessagingChannel
    """Messaging channel of the account"""
    account_id: str
    """The account’s id at the provider"""

class ConnectMessagingAccount_body_2(TypedDict):
    channel: Literal["photoapp"]
    """Messaging channel of the account"""
    access_token: str
    """The platform’s token; stored encrypted, never returned"""

class ConnectMessagingAccount_reply(TypedDict):
    data: Connection
    """The result"""
    meta: ProfileMeta

class StartMailboxLink_reply(TypedDict):
    data: Handoff
    """The result"""
    meta: ProfileMeta

class UploadChatMedia_reply(TypedDict):
    data: UploadChatMediaReply
    """The result"""
    meta: ProfileMeta

class ListChatNumbers_reply(TypedDict):
    data: list[ChatNumber]
    """The rows"""
    meta: ProfileMeta

class RequestChatCode_reply(TypedDict):
    data: RequestChatCodeReply
    """The result"""
    meta: ProfileMeta

class RegisterChatNumber_reply(TypedDict):
    data: RegisterChatNumberReply
    """The result"""
    meta: ProfileMeta

class SendMessage_reply(TypedDict):
    data: SentMessage
    """The result"""
    meta: ProfileMeta

class SendMail_reply(TypedDict):
    data: SentMail
    """The result"""
    meta: ProfileMeta

class GetCampaignStatus_reply(TypedDict):
    data: GetCampaignStatusReply
    """The result"""
    meta: ProfileMeta

class PauseCampaign_reply(TypedDict):
    data: StatusChange
    """The result"""
    meta: ProfileMeta

class ResumeCampaign_reply(TypedDict):
    data: StatusChange
    """The result"""
    meta: ProfileMeta

class PauseAdSet_reply(TypedDict):
    data: StatusChange
    """The result"""
    meta: ProfileMeta

class ResumeAdSet_reply(TypedDict):
    data: StatusChange
    """The result"""
    meta: ProfileMeta

class PauseAd_reply(TypedDict):
    data: StatusChange
    """The result"""
    meta: ProfileMeta

class ResumeAd_reply(TypedDict):
    data: StatusChange
    """The result"""
    meta: ProfileMeta

class SetCampaignBudget_reply(TypedDict):
    data: BudgetChange
    """The result"""
    meta: ProfileMeta

class SetAdSetBudget_reply(TypedDict):
    data: BudgetChange
    """The result"""
    meta: ProfileMeta

class GetPacing_reply(TypedDict):
    data: list[PacingRow]
    """The rows"""
    meta: WorkspaceMeta

class SetPacingTarget_reply(TypedDict):
    data: PacingTarget
    """The result"""
    meta: WorkspaceMeta

class ListExperiments_reply(TypedDict):
    data: list[Experiment]
    """The rows"""
    meta: WorkspaceMeta

class DesignGeoExperiment_reply(TypedDict):
    data: GeoDesign
    """The result"""
    meta: ProfileMeta

class CreateGeoExperiment_reply(TypedDict):
    data: CreateGeoExperimentReply
    """The result"""
    meta: ProfileMeta

class ListRecommendations_reply(TypedDict):
    data: list[Recommendation]
    """The rows"""
    meta: ListRecommendationsMeta

class ApplyRecommendation_reply(TypedDict):
    data: Recommendation
    """The result"""
    meta: WorkspaceMeta

class UndoRecommendation_reply(TypedDict):
    data: Recommendation
    """The result"""
    meta: WorkspaceMeta

class DismissRecommendation_reply(TypedDict):
    data: Recommendation
    """The result"""
    meta: WorkspaceMeta

class ListCreativePatterns_reply(TypedDict):
    data: list[CreativePattern]
    """The rows"""
    meta: WorkspaceMeta

class ListCreativeDimensions_reply(TypedDict):
    data: list[CreativeDimension]
    """The rows"""
    meta: WorkspaceMeta

class ListCreativeArchetypes_reply(TypedDict):
    data: list[CreativeArchetype]
    """The rows"""
    meta: WorkspaceMeta

class GetDataDriven_reply(TypedDict):
    data: DataDrivenModel
    """The result"""
    meta: GetDataDrivenMeta

class GetDoctor_reply(TypedDict):
    data: GetDoctorReply
    """The result"""
    meta: ProfileMeta

class RunDoctor_reply(TypedDict):
    data: RunDoctorReply
    """The result"""
    meta: ProfileMeta

class IssueTrackingKey_reply(TypedDict):
    data: TrackingKey
    """The result"""
    meta: ProfileMeta

class ListTrackingKeys_reply(TypedDict):
    data: list[TrackingKey]
    """The rows"""
    meta: ProfileMeta

class GetTrackingSnippet_reply(TypedDict):
    data: GetTrackingSnippetReply
    """The result"""
    meta: ProfileMeta

class GetTagManagerInstaller_reply(TypedDict):
    data: GetTagManagerInstallerReply
    """The result"""
    meta: ProfileMeta

class GetTrackingTemplates_reply_data_item(TypedDict):
    platform: Literal["social", "engine", "shortvideo", "linkedin", "microsoft"]
    """Ad platform that the template is for"""
    name: str
    """Name of the platform"""
    place: str
    """Where to enter it at the platform"""
    template: str
    """URL parameters to paste at the platform"""
    clicks: int
    """Number of paid clicks of the last seven days"""
    with_ad_id: int
    """Number of those clicks that carried their ad"""
    last_click_on: Union[str, None]
    """Day of the latest click with it; null if there is none"""
    state: Literal["waiting", "missing", "partial", "arriving"]
    """Whether the parameters arrive; waiting until the first click"""

class GetTrackingTemplates_reply(TypedDict):
    data: list[GetTrackingTemplates_reply_data_item]
    """The rows"""
    meta: ProfileMeta

class GetStorefrontPixelInstaller_reply(TypedDict):
    data: GetStorefrontPixelInstallerReply
    """The result"""
    meta: ProfileMeta

class ListTrackingDomains_reply(TypedDict):
    data: list[TrackingDomain]
    """The rows"""
    meta: ProfileMeta

class CreateTrackingDomain_reply(TypedDict):
    data: TrackingDomain
    """The result"""
    meta: ProfileMeta

class VerifyTrackingDomain_reply(TypedDict):
    data: TrackingDomain
    """The result"""
    meta: ProfileMeta

class ListTrackedEvents_reply_data_item(TypedDict):
    id: str
    """Id of the event"""
    event_name: str
    """Name of the event; goals select events by it"""
    source: str
    """Source of the data"""
    occurred_at: str
    """When it happened"""
    received_at: str
    """When the service received it"""
    anonymous_id: Union[str, None]
    """The visitor’s id in the browser or app; null if none was sent"""
    session_id: Union[str, None]
    """Id of the visit; null if none was sent"""
    is_bot: bool
    """True if the user agent belongs to a bot"""
    channel: Union[str, None]
    """Channel of the visit; null if the event is not a visit"""
    page_url: Union[str, None]
    """URL of the page; null if none was sent"""
    referrer: Union[str, None]
    """Address of the page that linked here; null if there is none"""
    device: dict[str, Union[str, None]]
    """Browser, operating system and device type"""
    utm: dict[str, str]
    """Campaign parameters of the link, for example `utm_source`"""
    click_ids: dict[str, str]
    """Click ids of ad platforms by their parameter, for example `gclid`"""

class ListTrackedEvents_reply(TypedDict):
    data: list[ListTrackedEvents_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class GetTrackingOps_reply(TypedDict):
    data: GetTrackingOpsReply
    """The result"""
    meta: ProfileMeta

class GetTrackingOrigin_reply(TypedDict):
    data: GetTrackingOriginReply
    """The result"""
    meta: ProfileMeta

class GetTrackingQuality_reply(TypedDict):
    data: GetTrackingQualityReply
    """The result"""
    meta: ProfileMeta

class GetReplayStatus_reply_data(TypedDict):
    """The result"""

    recompute_id: str
    """Id of the recompute"""
    scope: str
    """What is recomputed"""
    state: str
    """How far the recompute is"""
    conversions: Union[int, None]
    """Number of conversions that were recomputed; null until it has ended"""
    requested_at: str
    """When it was requested"""
    started_at: Union[str, None]
    """When it started; null until then"""
    finished_at: Union[str, None]
    """When it ended; null until then"""
    error: Union[str, None]
    """Why the recompute failed; null if it did not"""

class GetReplayStatus_reply(TypedDict):
    data: Union[GetReplayStatus_reply_data, None]
    """The result"""
    meta: ProfileMeta

class GetTrackingSettings_reply(TypedDict):
    data: TrackingSettings
    """The result"""
    meta: ProfileMeta

class UpdateTrackingSettings_reply(TypedDict):
    data: TrackingSettings
    """The result"""
    meta: ProfileMeta

class GetVerification_reply(TypedDict):
    data: Union[Verification, None]
    """The result"""
    meta: ProfileMeta

class StartVerification_reply(TypedDict):
    data: Verification
    """The result"""
    meta: ProfileMeta

class GetTrackingConsent_reply(TypedDict):
    data: GetTrackingConsentReply
    """The result"""
    meta: GetTrackingConsentMeta

class CreateOwnBrowserLink_reply(TypedDict):
    data: CreateOwnBrowserLinkReply
    """The result"""
    meta: ProfileMeta

class GetDeclaredVocabulary_reply(TypedDict):
    data: GetDeclaredVocabularyReply
    """The result"""
    meta: ProfileMeta

class SaveDeclaredVocabulary_reply(TypedDict):
    data: SaveDeclaredVocabularyReply
    """The result"""
    meta: ProfileMeta

class DeclareSource_reply(TypedDict):
    data: DeclareSourceReply
    """The result"""
    meta: ProfileMeta

class ListShortLinks_reply(TypedDict):
    data: list[ShortLink]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class CreateShortLink_reply(TypedDict):
    data: ShortLink
    """The result"""
    meta: ProfileMeta

class UpdateShortLink_reply(TypedDict):
    data: ShortLink
    """The result"""
    meta: ProfileMeta

class GetUtmHealth_reply(TypedDict):
    data: UtmHealth
    """The result"""
    meta: GetUtmHealthMeta

class ScanUtmHealth_reply(TypedDict):
    data: UtmHealth
    """The result"""
    meta: ScanUtmHealthMeta

class CreateDemoProfile_reply(TypedDict):
    data: CreateDemoProfileReply
    """The result"""
    meta: Meta

class ListWebhookSubscriptions_reply(TypedDict):
    data: list[Subscription]
    """The rows"""
    meta: ProfileMeta

class CreateWebhookSubscription_reply(TypedDict):
    data: SubscriptionWithSecret
    """The result"""
    meta: ProfileMeta

class UpdateWebhookSubscription_reply(TypedDict):
    data: Subscription
    """The result"""
    meta: ProfileMeta

class RotateWebhookSecret_reply(TypedDict):
    data: SubscriptionWithSecret
    """The result"""
    meta: ProfileMeta

class TestWebhookSubscription_reply(TypedDict):
    data: TestWebhookSubscriptionReply
    """The result"""
    meta: ProfileMeta

class RecoverWebhookEvents_reply(TypedDict):
    data: RecoverWebhookEventsReply
    """The result"""
    meta: ProfileMeta

class ListWebhookDeliveries_reply(TypedDict):
    data: list[Delivery]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class GetWebhookDelivery_reply(TypedDict):
    data: GetWebhookDeliveryReply
    """The result"""
    meta: ProfileMeta

class ReplayWebhookDelivery_reply(TypedDict):
    data: ReplayWebhookDeliveryReply
    """The result"""
    meta: ProfileMeta

class ListRecordedOutcomes_reply_pagination(TypedDict):
    """Whether there is another page, and its cursor"""

    has_next: bool
    """Whether there is another page"""
    cursor: str
    """Cursor of the next page, as returned by the previous page"""

class ListRecordedOutcomes_reply(TypedDict):
    data: list[RecordedOutcome]
    """The rows"""
    pagination: ListRecordedOutcomes_reply_pagination
    """Whether there is another page, and its cursor"""
    meta: ProfileMeta

class EraseCustomer_reply(TypedDict):
    data: ErasureReceipt
    """The result"""
    meta: ProfileMeta

class GetErasure_reply(TypedDict):
    data: ErasureReceipt
    """The result"""
    meta: ProfileMeta

class EraseWorkspaceCustomer_reply(TypedDict):
    data: ErasureReceipt
    """The result"""
    meta: WorkspaceMeta

class GetWorkspaceErasure_reply(TypedDict):
    data: ErasureReceipt
    """The result"""
    meta: WorkspaceMeta

class RequestCustomerDataExport_reply(TypedDict):
    data: CustomerDataExport
    """The result"""
    meta: ProfileMeta

class RequestWorkspaceCustomerDataExport_reply(TypedDict):
    data: CustomerDataExport
    """The result"""
    meta: WorkspaceMeta

class ListWorkspaceCustomerDataExports_reply(TypedDict):
    data: list[CustomerDataExport]
    """The rows"""
    pagination: Pagination
    meta: WorkspaceMeta

class GetCustomerDataExport_reply(TypedDict):
    data: CustomerDataExport
    """The result"""
    meta: ProfileMeta

class GetWorkspaceCustomerDataExport_reply(TypedDict):
    data: CustomerDataExport
    """The result"""
    meta: WorkspaceMeta

class ConfirmCustomerDataExport_body_1(TypedDict):
    method: Literal["account", "reply_from_address", "in_person", "other"]
    """How the business made sure who asks"""
    note: NotRequired[str]
    """For the record; not part of the file"""

class ConfirmCustomerDataExport_body_2(TypedDict):
    method: Literal["mail_code"]
    """A code is mailed to the address stored for the customer"""
    code: NotRequired[str]
    """The code from the mail; without it, a new code is mailed"""

class ConfirmCustomerDataExport_reply(TypedDict):
    data: CustomerDataExport
    """The result"""
    meta: ProfileMeta

class ConfirmWorkspaceCustomerDataExport_body_1(TypedDict):
    method: Literal["account", "reply_from_address", "in_person", "other"]
    """How the business made sure who asks"""
    note: NotRequired[str]
    """For the record; not part of the file"""

class ConfirmWorkspaceCustomerDataExport_body_2(TypedDict):
    method: Literal["mail_code"]
    """A code is mailed to the address stored for the customer"""
    code: NotRequired[str]
    """The code from the mail; without it, a new code is mailed"""

class ConfirmWorkspaceCustomerDataExport_reply(TypedDict):
    data: CustomerDataExport
    """The result"""
    meta: WorkspaceMeta

class ScanMergeProposals_reply(TypedDict):
    data: ScanMergeProposalsReply
    """The result"""
    meta: ProfileMeta

class ListMergeProposals_reply_status_counts(TypedDict):
    """Proposals by status"""

    open: int
    """Number of open proposals"""
    snoozed: int
    """Number of snoozed proposals"""
    merged: int
    """Number of merged proposals"""
    dismissed: int
    """Number of dismissed proposals"""

class ListMergeProposals_reply(TypedDict):
    data: list[MergeProposal]
    """The rows"""
    pagination: Pagination
    status_counts: ListMergeProposals_reply_status_counts
    """Proposals by status"""
    meta: ProfileMeta

class PreviewMergeProposal_reply(TypedDict):
    data: MergePreview
    """The result"""
    meta: ProfileMeta

class DecideMergeProposal_reply(TypedDict):
    data: MergeProposal
    """The result"""
    meta: ProfileMeta

class PreviewMerge_reply(TypedDict):
    data: MergePreview
    """The result"""
    meta: ProfileMeta

class ListMerges_reply_data_item(TypedDict):
    audit_log_id: str
    """Id of the merge"""
    from_customer_id: str
    """The customer that is merged"""
    into_customer_id: str
    """The customer that remains after the merge"""
    merged_at: str
    """When the customers were merged"""
    merged_by: Union[str, None]
    """Id of the user who merged them; null for an API key"""
    undone_at: Union[str, None]
    """When it was undone; null if it was not"""
    undone_by: Union[str, None]
    """Id of the user who undid it; null for an API key"""

class ListMerges_reply(TypedDict):
    data: list[ListMerges_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class UndoMerge_reply(TypedDict):
    data: UndoMergeReply
    """The result"""
    meta: ProfileMeta

class ListIdentityLinks_reply(TypedDict):
    data: list[IdentityLink]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class DecideIdentityLink_reply(TypedDict):
    data: IdentityLink
    """The result"""
    meta: ProfileMeta

class ScanIdentityRepairs_reply_pagination(TypedDict):
    """Whether there is another page, and its cursor"""

    has_next: bool
    """Whether there is another page"""
    offset: int
    """Rows to skip"""
    limit: int
    """Rows per page"""

class ScanIdentityRepairs_reply(TypedDict):
    data: ScanIdentityRepairsReply
    """The result"""
    pagination: ScanIdentityRepairs_reply_pagination
    """Whether there is another page, and its cursor"""
    meta: ProfileMeta

class RepairIdentity_reply(TypedDict):
    data: RepairIdentityReply
    """The result"""
    meta: ProfileMeta

class PreviewPhoneRepair_reply(TypedDict):
    data: PreviewPhoneRepairReply
    """The result"""
    meta: ProfileMeta

class StartPhoneRepair_reply(TypedDict):
    data: StartPhoneRepairReply
    """The result"""
    meta: ProfileMeta

class ListPhoneRepairs_reply_data_item(TypedDict):
    id: str
    """Id of the phone repair"""
    status: Literal["applying", "applied", "undoing", "undone"]
    """State of the phone repair"""
    include_unresolved: bool
    """Whether numbers without a known country are also repaired"""
    events: int
    """Events reprocessed so far"""
    created_at: str
    """When it was created"""
    finished_at: Union[str, None]
    """When it ended; null until then"""

class ListPhoneRepairs_reply(TypedDict):
    data: list[ListPhoneRepairs_reply_data_item]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class UndoPhoneRepair_reply(TypedDict):
    data: UndoPhoneRepairReply
    """The result"""
    meta: ProfileMeta

class CreateLinkToken_reply(TypedDict):
    data: CreateLinkTokenReply
    """The result"""
    meta: ProfileMeta

class ResolveChatCode_reply(TypedDict):
    data: ResolveChatCodeReply
    """The result"""
    meta: ProfileMeta

class ListConversations_reply(TypedDict):
    data: list[Conversation]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class GetConversation_reply(TypedDict):
    data: GetConversationReply
    """The result"""
    meta: ProfileMeta

class ListChatTemplates_reply(TypedDict):
    data: list[ChatTemplate]
    """The rows"""
    meta: ProfileMeta

class CreateChatTemplate_reply(TypedDict):
    data: ChatTemplate
    """The result"""
    meta: ProfileMeta

class SyncChatTemplates_reply(TypedDict):
    data: SyncChatTemplatesReply
    """The result"""
    meta: ProfileMeta

class ListCustomers_reply(TypedDict):
    data: list[Customer]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class GetCustomer_reply(TypedDict):
    data: GetCustomerReply
    """The result"""
    meta: ProfileMeta

class ListVisitors_reply(TypedDict):
    data: list[Visitor]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class GetRealtime_reply(TypedDict):
    data: GetRealtimeReply
    """The result"""
    meta: ProfileMeta

class WhatIf_reply(TypedDict):
    data: WhatIfReply
    """The result"""
    meta: WhatIfMeta

class ListDataDestinations_reply(TypedDict):
    data: list[DataDestination]
    """The rows"""
    meta: ProfileMeta

class CreateDataDestination_body_1_target(TypedDict):
    """Bucket and folder that receive the files"""

    folder: str
    """Folder inside the profile’s folder in DATA_EXPORT_DIR"""

class CreateDataDestination_body_1(TypedDict):
    kind: Literal["file"]
    """Storage service that receives the files"""
    target: CreateDataDestination_body_1_target
    """Bucket and folder that receive the files"""
    name: str
    """Name of the destination, as people see it"""
    tables: NotRequired[list[Literal["events", "customers", "identities", "touches", "conversions", "payments", "refunds", "credits", "paths", "campaigns", "ad_sets", "ads", "ad_versions", "creatives", "delivery", "rates", "daily"]]]
    """Tables of the export"""
    include_identifiers: NotRequired[bool]
    """True to include hashed identifiers"""
    schedule: NotRequired[Literal["hourly", "daily", "on_demand"]]
    """How often the tables are written"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""

class CreateDataDestination_body_2_target(TypedDict):
    """Bucket and folder that receive the files"""

    endpoint: str
    """Address of the store, such as https://s3.eu-west-1.amazonaws.com"""
    region: str
    """Region that requests are signed for"""
    bucket: str
    """Name of the bucket"""
    prefix: NotRequired[str]
    """Path inside the bucket; empty for its root"""
    path_style: NotRequired[bool]
    """Put the bucket in the path instead of the host name"""
    server_side_encryption: NotRequired[Union[Literal["AES256", "aws:kms"], None]]
    """Encryption header sent with every file; null: none"""
    access_key_id: str
    """Access key of a user that may write and delete under the prefix"""
    secret_access_key: str
    """Stored encrypted and never returned"""

class CreateDataDestination_body_2(TypedDict):
    kind: Literal["s3"]
    """Storage service that receives the files"""
    target: CreateDataDestination_body_2_target
    """Bucket and folder that receive the files"""
    name: str
    """Name of the destination, as people see it"""
    tables: NotRequired[list[Literal["events", "customers", "identities", "touches", "conversions", "payments", "refunds", "credits", "paths", "campaigns", "ad_sets", "ads", "ad_versions", "creatives", "delivery", "rates", "daily"]]]
    """Tables of the export"""
    include_identifiers: NotRequired[bool]
    """True to include hashed identifiers"""
    schedule: NotRequired[Literal["hourly", "daily", "on_demand"]]
    """How often the tables are written"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""

class CreateDataDestination_reply(TypedDict):
    data: DataDestination
    """The result"""
    meta: ProfileMeta

class UpdateDataDestination_reply(TypedDict):
    data: DataDestination
    """The result"""
    meta: ProfileMeta

class TestDataDestination_reply(TypedDict):
    data: TestDataDestinationReply
    """The result"""
    meta: ProfileMeta

class StartDataRun_reply(TypedDict):
    data: DataRun
    """The result"""
    meta: ProfileMeta

class ListDataRuns_reply(TypedDict):
    data: list[DataRun]
    """The rows"""
    meta: ProfileMeta

class GetDataRun_reply(TypedDict):
    data: DataRun
    """The result"""
    meta: ProfileMeta

class GetDataSchema_reply(TypedDict):
    data: GetDataSchemaReply
    """The result"""
    meta: ProfileMeta

class ListExportDestinations_reply(TypedDict):
    data: list[ExportDestination]
    """The rows"""
    meta: ProfileMeta

class CreateExportDestination_body_1(TypedDict):
    kind: Literal["social"]
    """Ad platform that receives the conversions"""
    connection_id: NotRequired[str]
    """Optional if exactly one ad account is connected"""
    social_pixel_id: str
    """Id of the pixel at the platform"""
    data_source: NotRequired[DataSourceKind]
    """Only conversions of this source are sent; default: all"""
    display_name: NotRequired[str]
    """Name of the destination, as people see it"""
    event_map: NotRequired[EventMapInput]
    event_id_source: NotRequired[str]
    """The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""
    test_event_code: NotRequired[Union[str, None]]
    """The platform’s code for test events; null if there is none"""

class CreateExportDestination_body_2(TypedDict):
    kind: Literal["engine"]
    """Ad platform that receives the conversions"""
    connection_id: str
    """Id of the connection"""
    engine_conversion_action: str
    """Google’s id of the conversion action"""
    display_name: NotRequired[str]
    """Name of the destination, as people see it"""
    event_map: NotRequired[EventMapInput]
    event_id_source: NotRequired[str]
    """The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""
    test_event_code: NotRequired[Union[str, None]]
    """The platform’s code for test events; null if there is none"""

class CreateExportDestination_body_3(TypedDict):
    kind: Literal["shortvideo"]
    """Ad platform that receives the conversions"""
    shortvideo_pixel_code: str
    """TikTok pixel code"""
    access_token: str
    """Stored encrypted and never returned"""
    display_name: NotRequired[str]
    """Name of the destination, as people see it"""
    event_map: NotRequired[EventMapInput]
    event_id_source: NotRequired[str]
    """The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""
    test_event_code: NotRequired[Union[str, None]]
    """The platform’s code for test events; null if there is none"""

class CreateExportDestination_body_4(TypedDict):
    kind: Literal["microsoft"]
    """Ad platform that receives the conversions"""
    connection_id: str
    """Id of the connection"""
    microsoft_uet_tag_id: str
    """A UET tag of the connected account"""
    display_name: NotRequired[str]
    """Name of the destination, as people see it"""
    event_map: NotRequired[EventMapInput]
    event_id_source: NotRequired[str]
    """The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""

class CreateExportDestination_body_5(TypedDict):
    kind: Literal["linkedin"]
    """Ad platform that receives the conversions"""
    connection_id: str
    """Id of the connection"""
    linkedin_conversion_id: str
    """A conversion rule of the ad account whose method is Conversions API"""
    display_name: NotRequired[str]
    """Name of the destination, as people see it"""
    event_map: NotRequired[EventMapInput]
    event_id_source: NotRequired[str]
    """The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id"""
    enabled: NotRequired[bool]
    """Whether it is enabled"""

class CreateExportDestination_reply(TypedDict):
    data: ExportDestination
    """The result"""
    meta: ProfileMeta

class UpdateExportDestination_reply(TypedDict):
    data: ExportDestination
    """The result"""
    meta: ProfileMeta

class PreviewExportDestination_reply(TypedDict):
    data: ExportPreview
    """The result"""
    meta: ProfileMeta

class GetConversionSyncCatalog_reply(TypedDict):
    data: ConversionSyncCatalog
    """The result"""
    meta: ProfileMeta

class SaveConversionSyncCatalog_reply(TypedDict):
    data: ConversionSyncCatalog
    """The result"""
    meta: ProfileMeta

class ListExportRuns_reply(TypedDict):
    data: list[ExportRun]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class GetExportRun_reply(TypedDict):
    data: ExportRun
    """The result"""
    meta: ProfileMeta

class ListExportLedger_reply(TypedDict):
    data: list[ExportLedgerRow]
    """The rows"""
    pagination: Pagination
    meta: ProfileMeta

class ListConversionDataSources_reply(TypedDict):
    data: list[ConversionDataSource]
    """The rows"""
    meta: ProfileMeta

class SetPlatformSafeTarget_reply(TypedDict):
    data: SetPlatformSafeTargetReply
    """The result"""
    meta: ProfileMeta

class SendCustomerList_reply(TypedDict):
    data: SendCustomerListReply
    """The result"""
    meta: ProfileMeta

class CreateAudience_reply(TypedDict):
    data: CreateAudienceReply
    """The result"""
    meta: ProfileMeta

class SaveAudienceExclusions_reply(TypedDict):
    data: SaveAudienceExclusionsReply
    """The result"""
    meta: SaveAudienceExclusionsMeta

class SendTestEvent_reply(TypedDict):
    data: SendTestEventReply
    """The result"""
    meta: ProfileMeta

class GetOperatorStatus_reply(TypedDict):
    data: GetOperatorStatusReply
    """The result"""
    meta: Meta

class ListProblems_reply(TypedDict):
    data: list[Problem]
    """The rows"""
    meta: Meta

class GetProblem_reply(TypedDict):
    data: GetProblemReply
    """The result"""
    meta: Meta

class RetryProblem_reply(TypedDict):
    data: RetryProblemReply
    """The result"""
    meta: Meta

class DropProblem_reply(TypedDict):
    data: DropProblemReply
    """The result"""
    meta: Meta

class ListOperatorActions_reply_data_item(TypedDict):
    id: str
    """Id of the action"""
    user_id: Union[str, None]
    """Null for a command on the host"""
    action: Literal["retry", "drop"]
    """What the operator did, `retry` or `drop`"""
    kind: ProblemKind
    subject: str
    """What the operator acted on"""
    profile_id: Union[str, None]
    """Id of the profile; null if it belongs to none"""
    reason: Union[str, None]
    """Why the operator did it; null if none was given"""
    occurred_at: str
    """When it happened"""

class ListOperatorActions_reply(TypedDict):
    data: list[ListOperatorActions_reply_data_item]
    """The rows"""
    meta: Meta

class Operations(Caller):
    """One method for each operation of the API reference."""

    def sign_up(
        self,
        body: SignUpRequest,
    ) -> SignUp_reply:
        """Create an account and sign in"""
        return self._call("POST", "/api/v1/auth/sign-up", body=body)

    def sign_in(
        self,
        body: SignInRequest,
    ) -> SignIn_reply:
        """Sign in with email and password"""
        return self._call("POST", "/api/v1/auth/sign-in", body=body)

    def sign_out(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """End the current session"""
        return self._call("POST", "/api/v1/auth/sign-out", takes_key=True, idempotency_key=idempotency_key)

    def get_me(
        self,
    ) -> GetMe_reply:
        """The signed-in person"""
        return self._call("GET", "/api/v1/auth/me")

    def change_password(
        self,
        body: ChangePasswordRequest,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Change the password; ends all other sessions and user tokens"""
        return self._call("POST", "/api/v1/auth/password", body=body, takes_key=True, idempotency_key=idempotency_key)

    def remove_password(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove the password, so that a passkey signs in alone; ends all other sessions"""
        return self._call("DELETE", "/api/v1/auth/password", takes_key=True, idempotency_key=idempotency_key)

    def get_auth_options(
        self,
    ) -> GetAuthOptions_reply:
        """Whether sign-up is open"""
        return self._call("GET", "/api/v1/auth/options")

    def send_verification(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> SendVerification_reply:
        """Mail a link that verifies the address of the account"""
        return self._call("POST", "/api/v1/auth/verification", takes_key=True, idempotency_key=idempotency_key)

    def confirm_address(
        self,
        body: ConfirmAddressRequest,
        *,
        idempotency_key: str | None = None,
    ) -> ConfirmAddress_reply:
        """Verify the address, or switch to the new one, with the token from the mail"""
        return self._call("POST", "/api/v1/auth/verification/confirm", body=body, takes_key=True, idempotency_key=idempotency_key)

    def change_email(
        self,
        body: ChangeEmailRequest,
        *,
        idempotency_key: str | None = None,
    ) -> ChangeEmail_reply:
        """Request a change of address; effective once the link mailed to it is confirmed"""
        return self._call("POST", "/api/v1/auth/email", body=body, takes_key=True, idempotency_key=idempotency_key)

    def request_password_reset(
        self,
        body: RequestPasswordResetRequest,
    ) -> RequestPasswordReset_reply:
        """Mail a link that resets the password"""
        return self._call("POST", "/api/v1/auth/password/reset-request", body=body)

    def reset_password(
        self,
        body: ResetPasswordRequest,
    ) -> None:
        """Set a new password with the token from the mail"""
        return self._call("POST", "/api/v1/auth/password/reset", body=body)

    def request_sign_in_link(
        self,
        body: RequestSignInLinkRequest,
    ) -> RequestSignInLink_reply:
        """Mail a link that signs in without the password"""
        return self._call("POST", "/api/v1/auth/sign-in-link", body=body)

    def sign_in_by_link(
        self,
        body: SignInByLinkRequest,
    ) -> SignInByLink_reply:
        """Sign in with the token from the mail"""
        return self._call("POST", "/api/v1/auth/sign-in-link/confirm", body=body)

    def finish_sign_in(
        self,
        body: FinishSignInRequest,
    ) -> FinishSignIn_reply:
        """Finish a sign-in with the second factor"""
        return self._call("POST", "/api/v1/auth/second-factor", body=body)

    def offer_passkey(
        self,
    ) -> OfferPasskey_reply:
        """Options for a sign-in with a passkey alone"""
        return self._call("POST", "/api/v1/auth/passkeys/options")

    def sign_in_by_passkey(
        self,
        body: SignInByPasskeyRequest,
    ) -> SignInByPasskey_reply:
        """Sign in with a passkey alone"""
        return self._call("POST", "/api/v1/auth/passkeys/sign-in", body=body)

    def get_factors(
        self,
    ) -> GetFactors_reply:
        """The second factors of the account"""
        return self._call("GET", "/api/v1/auth/factors")

    def add_factor(
        self,
        body: AddFactorRequest,
        *,
        idempotency_key: str | None = None,
    ) -> AddFactor_reply:
        """Start adding a second factor"""
        return self._call("POST", "/api/v1/auth/factors", body=body, takes_key=True, idempotency_key=idempotency_key)

    def confirm_factor(
        self,
        factor_id: str,
        body: ConfirmFactorRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ConfirmFactor_reply:
        """Finish adding a second factor; ends all other sessions"""
        return self._call("POST", self._path("/api/v1/auth/factors/{factorId}/confirm", factorId=factor_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def rename_factor(
        self,
        factor_id: str,
        body: RenameFactorRequest,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Rename a second factor"""
        return self._call("PATCH", self._path("/api/v1/auth/factors/{factorId}", factorId=factor_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_factor(
        self,
        factor_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove a second factor; forgets remembered devices"""
        return self._call("DELETE", self._path("/api/v1/auth/factors/{factorId}", factorId=factor_id), takes_key=True, idempotency_key=idempotency_key)

    def create_recovery_codes(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> CreateRecoveryCodes_reply:
        """Create new recovery codes; the old ones stop working"""
        return self._call("POST", "/api/v1/auth/recovery-codes", takes_key=True, idempotency_key=idempotency_key)

    def forget_devices(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Forget all remembered devices"""
        return self._call("DELETE", "/api/v1/auth/remembered-devices", takes_key=True, idempotency_key=idempotency_key)

    def offer_reauthentication(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> OfferReauthentication_reply:
        """How the person can prove again who they are"""
        return self._call("POST", "/api/v1/auth/reauthenticate/options", takes_key=True, idempotency_key=idempotency_key)

    def reauthenticate(
        self,
        body: ReauthenticateRequest,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Prove again who the person at this session is"""
        return self._call("POST", "/api/v1/auth/reauthenticate", body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_sessions(
        self,
    ) -> ListSessions_reply:
        """Where the account is signed in"""
        return self._call("GET", "/api/v1/auth/sessions")

    def end_other_sessions(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """End all other sessions of the account"""
        return self._call("DELETE", "/api/v1/auth/sessions", takes_key=True, idempotency_key=idempotency_key)

    def end_session(
        self,
        session_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """End one session of the account"""
        return self._call("DELETE", self._path("/api/v1/auth/sessions/{sessionId}", sessionId=session_id), takes_key=True, idempotency_key=idempotency_key)

    def list_workspaces(
        self,
    ) -> ListWorkspaces_reply:
        """List the workspaces of the signed-in person"""
        return self._call("GET", "/api/v1/workspaces")

    def create_workspace(
        self,
        body: CreateWorkspaceRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> CreateWorkspace_reply:
        """Create a workspace"""
        return self._call("POST", "/api/v1/workspaces", body=body, takes_key=True, idempotency_key=idempotency_key)

    def archive_workspace(
        self,
        workspace_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> ArchiveWorkspace_reply:
        """Archive a workspace for good"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}", workspaceId=workspace_id), takes_key=True, idempotency_key=idempotency_key)

    def get_subscription(
        self,
        workspace_id: str,
    ) -> GetSubscription_reply:
        """Get plan, status and billing period of a workspace"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/subscription", workspaceId=workspace_id))

    def get_compliance_overview(
        self,
        workspace_id: str,
    ) -> GetComplianceOverview_reply:
        """Get the privacy settings of each profile"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/compliance-overview", workspaceId=workspace_id))

    def update_compliance_overview(
        self,
        workspace_id: str,
        body: UpdateComplianceOverviewRequest,
        *,
        idempotency_key: str | None = None,
    ) -> UpdateComplianceOverview_reply:
        """Set whether the workspace is a healthcare agency"""
        return self._call("PATCH", self._path("/api/v1/workspaces/{workspaceId}/compliance-overview", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_reporting_currency(
        self,
        workspace_id: str,
    ) -> GetReportingCurrency_reply:
        """Get the currency of reports across profiles"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/reporting-currency", workspaceId=workspace_id))

    def update_reporting_currency(
        self,
        workspace_id: str,
        body: UpdateReportingCurrencyRequest,
        *,
        idempotency_key: str | None = None,
    ) -> UpdateReportingCurrency_reply:
        """Set the currency of reports across profiles"""
        return self._call("PATCH", self._path("/api/v1/workspaces/{workspaceId}/reporting-currency", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def create_checkout_session(
        self,
        workspace_id: str,
        body: CreateCheckoutSessionRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateCheckoutSession_reply:
        """Create a checkout link for a plan upgrade"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/checkout-session", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def create_billing_portal_session(
        self,
        workspace_id: str,
        body: CreateBillingPortalSessionRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> CreateBillingPortalSession_reply:
        """Open the payment provider's customer portal"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/billing-portal-session", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def select_store_plan(
        self,
        workspace_id: str,
        body: SelectStorePlanRequest,
        *,
        idempotency_key: str | None = None,
    ) -> SelectStorePlan_reply:
        """Choose a plan that the store platform bills"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/storefront-plan-selection", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_workspace_profiles(
        self,
        workspace_id: str,
    ) -> ListWorkspaceProfiles_reply:
        """List the profiles of a workspace that the person can open"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/profiles", workspaceId=workspace_id))

    def list_profiles(
        self,
        *,
        workspace_id: str | None = None,
    ) -> ListProfiles_reply:
        """List the profiles of the person or the app"""
        return self._call("GET", "/api/v1/profiles", query={"workspace_id": workspace_id})

    def create_profile(
        self,
        body: CreateProfileRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateProfile_reply:
        """Create a profile"""
        return self._call("POST", "/api/v1/profiles", body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_readiness(
        self,
        profile_id: str,
    ) -> GetReadiness_reply:
        """List the setup steps of a profile and whether they are done"""
        return self._call("GET", self._path("/api/v1/profiles/{profileId}/readiness", profileId=profile_id))

    def update_profile(
        self,
        profile_id: str,
        body: UpdateProfileRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> UpdateProfile_reply:
        """Rename a profile, or set its time zone, currency and country"""
        return self._call("PATCH", self._path("/api/v1/profiles/{profileId}", profileId=profile_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def archive_profile(
        self,
        profile_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> ArchiveProfile_reply:
        """Archive a profile that the app provisioned"""
        return self._call("DELETE", self._path("/api/v1/profiles/{profileId}", profileId=profile_id), takes_key=True, idempotency_key=idempotency_key)

    def adopt_profile(
        self,
        profile_id: str,
        body: AdoptProfileRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> AdoptProfile_reply:
        """Adopt an existing profile"""
        return self._call("POST", self._path("/api/v1/profiles/{profileId}/adopt", profileId=profile_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def set_entitlement(
        self,
        profile_id: str,
        feature: Literal["attribution"],
        body: SetEntitlementRequest,
        *,
        idempotency_key: str | None = None,
    ) -> SetEntitlement_reply:
        """Switch a feature of a profile on or off"""
        return self._call("PUT", self._path("/api/v1/profiles/{profileId}/entitlements/{feature}", profileId=profile_id, feature=feature), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_api_keys(
        self,
        workspace_id: str,
        *,
        profile_id: str | None = None,
    ) -> ListApiKeys_reply:
        """List API keys of a workspace’s profiles"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/api-keys", workspaceId=workspace_id), query={"profile_id": profile_id})

    def create_api_key(
        self,
        workspace_id: str,
        body: CreateApiKeyRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateApiKey_reply:
        """Create an API key for one profile"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/api-keys", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def revoke_api_key(
        self,
        workspace_id: str,
        id: str,
        body: RevokeApiKeyRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> RevokeApiKey_reply:
        """Revoke an API key immediately"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/api-keys/{id}/revoke", workspaceId=workspace_id, id=id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def rotate_api_key(
        self,
        workspace_id: str,
        id: str,
        body: RotateApiKeyRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> RotateApiKey_reply:
        """Rotate an API key"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/api-keys/{id}/rotate", workspaceId=workspace_id, id=id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_api_usage(
        self,
        workspace_id: str,
        *,
        profile_id: str | None = None,
        days: str | None = None,
    ) -> GetApiUsage_reply:
        """Count requests and errors per API key"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/api-usage", workspaceId=workspace_id), query={"profile_id": profile_id, "days": days})

    def list_user_tokens(
        self,
    ) -> ListUserTokens_reply:
        """List user tokens and authorized clients of the signed-in person"""
        return self._call("GET", "/api/v1/user-tokens")

    def create_user_token(
        self,
        body: CreateUserTokenRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateUserToken_reply:
        """Create a user token for all profiles of the signed-in person"""
        return self._call("POST", "/api/v1/user-tokens", body=body, takes_key=True, idempotency_key=idempotency_key)

    def revoke_user_token(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke a user token or the access of a client"""
        return self._call("DELETE", self._path("/api/v1/user-tokens/{id}", id=id), takes_key=True, idempotency_key=idempotency_key)

    def list_members(
        self,
        workspace_id: str,
    ) -> ListMembers_reply:
        """List the people of a workspace"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/members", workspaceId=workspace_id))

    def put_member(
        self,
        workspace_id: str,
        body: PutMemberRequest,
        *,
        idempotency_key: str | None = None,
    ) -> PutMember_reply:
        """Add or update a member"""
        return self._call("PUT", self._path("/api/v1/workspaces/{workspaceId}/members", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def remove_member(
        self,
        workspace_id: str,
        user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove a person from the workspace and its profiles"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/members/{userId}", workspaceId=workspace_id, userId=user_id), takes_key=True, idempotency_key=idempotency_key)

    def list_invitations(
        self,
        workspace_id: str,
    ) -> ListInvitations_reply:
        """List pending invitations to the workspace"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/invitations", workspaceId=workspace_id))

    def invite_member(
        self,
        workspace_id: str,
        body: InviteMemberRequest,
        *,
        idempotency_key: str | None = None,
    ) -> InviteMember_reply:
        """Invite a person to the workspace by mail"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/invitations", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def revoke_invitation(
        self,
        workspace_id: str,
        invitation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke a pending invitation to the workspace"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/invitations/{invitationId}", workspaceId=workspace_id, invitationId=invitation_id), takes_key=True, idempotency_key=idempotency_key)

    def list_profile_invitations(
        self,
        workspace_id: str,
        profile_id: str,
    ) -> ListProfileInvitations_reply:
        """List pending invitations to one profile"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/profiles/{profileId}/invitations", workspaceId=workspace_id, profileId=profile_id))

    def invite_profile_member(
        self,
        workspace_id: str,
        profile_id: str,
        body: InviteProfileMemberRequest,
        *,
        idempotency_key: str | None = None,
    ) -> InviteProfileMember_reply:
        """Invite a person to one profile by mail"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/profiles/{profileId}/invitations", workspaceId=workspace_id, profileId=profile_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def revoke_profile_invitation(
        self,
        workspace_id: str,
        profile_id: str,
        invitation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke a pending invitation to one profile"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/profiles/{profileId}/invitations/{invitationId}", workspaceId=workspace_id, profileId=profile_id, invitationId=invitation_id), takes_key=True, idempotency_key=idempotency_key)

    def accept_invitation(
        self,
        body: AcceptInvitationRequest,
        *,
        idempotency_key: str | None = None,
    ) -> AcceptInvitation_reply:
        """Accept an invitation with the token from the mail"""
        return self._call("POST", "/api/v1/invitations/accept", body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_profile_member(
        self,
        workspace_id: str,
        profile_id: str,
        membership_id: str,
        body: UpdateProfileMemberRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> UpdateProfileMember_reply:
        """Change the role or the permissions of a profile member"""
        return self._call("PATCH", self._path("/api/v1/workspaces/{workspaceId}/profiles/{profileId}/members/{membershipId}", workspaceId=workspace_id, profileId=profile_id, membershipId=membership_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def remove_profile_member(
        self,
        workspace_id: str,
        profile_id: str,
        membership_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove a person from one profile"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/profiles/{profileId}/members/{membershipId}", workspaceId=workspace_id, profileId=profile_id, membershipId=membership_id), takes_key=True, idempotency_key=idempotency_key)

    def get_sign_in_policy(
        self,
        workspace_id: str,
    ) -> GetSignInPolicy_reply:
        """What the workspace requires of the sign-in of its members"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/sign-in-policy", workspaceId=workspace_id))

    def update_sign_in_policy(
        self,
        workspace_id: str,
        body: UpdateSignInPolicyRequest,
        *,
        idempotency_key: str | None = None,
    ) -> UpdateSignInPolicy_reply:
        """Require a second factor of all members, or no longer"""
        return self._call("PUT", self._path("/api/v1/workspaces/{workspaceId}/sign-in-policy", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def reset_member_factors(
        self,
        workspace_id: str,
        user_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove the second factors of a member who lost them"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/members/{userId}/factors", workspaceId=workspace_id, userId=user_id), takes_key=True, idempotency_key=idempotency_key)

    def list_o_auth_apps(
        self,
        workspace_id: str,
    ) -> ListOAuthApps_reply:
        """List partner apps of the workspace, with their DPA status"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/oauth-apps", workspaceId=workspace_id))

    def create_o_auth_app(
        self,
        workspace_id: str,
        body: CreateOAuthAppRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateOAuthApp_reply:
        """Register a partner app"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/oauth-apps", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_o_auth_app(
        self,
        workspace_id: str,
        app_id: str,
        body: UpdateOAuthAppRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> UpdateOAuthApp_reply:
        """Change the registration of a partner app"""
        return self._call("PATCH", self._path("/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}", workspaceId=workspace_id, appId=app_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def rotate_o_auth_app_secret(
        self,
        workspace_id: str,
        app_id: str,
        body: RotateOAuthAppSecretRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> RotateOAuthAppSecret_reply:
        """Rotate the app’s secret"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}/rotate-secret", workspaceId=workspace_id, appId=app_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def accept_dpa(
        self,
        workspace_id: str,
        app_id: str,
        body: AcceptDpaRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> AcceptDpa_reply:
        """Accept the data-processing agreement for profiles the app provisions"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}/dpa/accept", workspaceId=workspace_id, appId=app_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def withdraw_dpa(
        self,
        workspace_id: str,
        app_id: str,
        body: WithdrawDpaRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> WithdrawDpa_reply:
        """Withdraw the acceptance of the data-processing agreement"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/oauth-apps/{appId}/dpa/withdraw", workspaceId=workspace_id, appId=app_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_connected_apps(
        self,
        workspace_id: str,
    ) -> ListConnectedApps_reply:
        """List valid authorizations of partner apps on the workspace’s profiles"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/connected-apps", workspaceId=workspace_id))

    def revoke_connected_app(
        self,
        workspace_id: str,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke an authorization and all keys created with it"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/connected-apps/{id}", workspaceId=workspace_id, id=id), takes_key=True, idempotency_key=idempotency_key)

    def get_branding(
        self,
        workspace_id: str,
    ) -> GetBranding_reply:
        """Get the branding of a workspace"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/branding", workspaceId=workspace_id))

    def put_branding(
        self,
        workspace_id: str,
        body: PutBrandingRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> PutBranding_reply:
        """Replace the branding, except the logo"""
        return self._call("PUT", self._path("/api/v1/workspaces/{workspaceId}/branding", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def upload_logo(
        self,
        workspace_id: str,
        *,
        raw: RawBody | None = None,
        idempotency_key: str | None = None,
    ) -> UploadLogo_reply:
        """Upload the logo"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/branding/logo", workspaceId=workspace_id), raw=raw, takes_key=True, idempotency_key=idempotency_key)

    def remove_logo(
        self,
        workspace_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove the logo"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/branding/logo", workspaceId=workspace_id), takes_key=True, idempotency_key=idempotency_key)

    def list_alerts(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListAlerts_reply:
        """List alert rules with their state"""
        return self._call("GET", "/api/v1/alerts", query={"profile_id": profile_id})

    def create_alert(
        self,
        body: CreateAlertRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateAlert_reply:
        """Create an alert rule on a figure or on findings of the doctor"""
        return self._call("POST", "/api/v1/alerts", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_alert(
        self,
        id: str,
        body: UpdateAlertRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateAlert_reply:
        """Rename, change, pause or mute an alert rule"""
        return self._call("PATCH", self._path("/api/v1/alerts/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_alert(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete an alert rule"""
        return self._call("DELETE", self._path("/api/v1/alerts/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def preview_alert(
        self,
        body: PreviewAlertRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> PreviewAlert_reply:
        """Preview how often a rule would have fired in the last 90 days"""
        return self._call("POST", "/api/v1/alerts/preview", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_alert_log(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListAlertLog_reply:
        """List fired and recovered alerts with their figures"""
        return self._call("GET", "/api/v1/alerts/log", query={"profile_id": profile_id})

    def get_brief(
        self,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        language: Literal["en", "es"] | None = None,
        as_of: str | None = None,
        profile_id: str | None = None,
    ) -> GetBrief_reply:
        """What changed, in at most five sentences"""
        return self._call("GET", "/api/v1/reports/brief", query={"date_from": date_from, "date_to": date_to, "model": model, "language": language, "as_of": as_of, "profile_id": profile_id})

    def list_brief_receivers(
        self,
        workspace_id: str,
    ) -> ListBriefReceivers_reply:
        """List your mailed briefs, and the webhooks that receive briefs"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/briefs", workspaceId=workspace_id))

    def put_brief_subscription(
        self,
        workspace_id: str,
        body: PutBriefSubscriptionRequest,
        *,
        idempotency_key: str | None = None,
    ) -> PutBriefSubscription_reply:
        """Choose when a profile’s brief is mailed to you"""
        return self._call("PUT", self._path("/api/v1/workspaces/{workspaceId}/briefs/subscription", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def create_brief_webhook(
        self,
        workspace_id: str,
        body: CreateBriefWebhookRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateBriefWebhook_reply:
        """Send a profile’s briefs to a chat channel"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/briefs/webhooks", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_brief_webhook(
        self,
        workspace_id: str,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a webhook for briefs"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/briefs/webhooks/{webhookId}", workspaceId=workspace_id, webhookId=webhook_id), takes_key=True, idempotency_key=idempotency_key)

    def get_sender_domain(
        self,
        workspace_id: str,
    ) -> GetSenderDomain_reply:
        """Get the domain that reports are sent from"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/sender-domain", workspaceId=workspace_id))

    def register_sender_domain(
        self,
        workspace_id: str,
        body: RegisterSenderDomainRequest,
        *,
        idempotency_key: str | None = None,
    ) -> RegisterSenderDomain_reply:
        """Register the domain that reports are sent from"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/sender-domain", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def remove_sender_domain(
        self,
        workspace_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove the sending domain"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/sender-domain", workspaceId=workspace_id), takes_key=True, idempotency_key=idempotency_key)

    def verify_sender_domain(
        self,
        workspace_id: str,
        body: VerifySenderDomainRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> VerifySenderDomain_reply:
        """Check the DNS records now"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/sender-domain/verify", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_tab_counts(
        self,
        workspace_id: str,
    ) -> GetTabCounts_reply:
        """Count new items per tab of the console"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/tab-counts", workspaceId=workspace_id))

    def mark_tab_seen(
        self,
        workspace_id: str,
        tab: Literal["top_performers", "recommendations", "experiments", "reports", "patterns", "proposals", "connections"],
        body: MarkTabSeenRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> MarkTabSeen_reply:
        """Mark a tab as seen"""
        return self._call("PUT", self._path("/api/v1/workspaces/{workspaceId}/tab-counts/{tab}", workspaceId=workspace_id, tab=tab), body=body, takes_key=True, idempotency_key=idempotency_key)

    def generate_reports(
        self,
        workspace_id: str,
        body: GenerateReportsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> GenerateReports_reply:
        """Generate reports for some or all profiles, and optionally mail them"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/reports/bulk-generate", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_reports_hub(
        self,
        workspace_id: str,
    ) -> GetReportsHub_reply:
        """List reports, schedules and batches of a workspace"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/reports/hub", workspaceId=workspace_id))

    def download_report(
        self,
        workspace_id: str,
        report_id: str,
    ) -> bytes:
        """Download the file of a report"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/reports/{reportId}/download", workspaceId=workspace_id, reportId=report_id), is_file=True)

    def approve_report(
        self,
        workspace_id: str,
        report_id: str,
        body: ApproveReportRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ApproveReport_reply:
        """Approve a report and mail it"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/reports/{reportId}/approve", workspaceId=workspace_id, reportId=report_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def patch_schedules(
        self,
        workspace_id: str,
        body: PatchSchedulesRequest,
        *,
        idempotency_key: str | None = None,
    ) -> PatchSchedules_reply:
        """Change the report schedules of some or all profiles"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/reports/schedules/bulk", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_live_links(
        self,
        workspace_id: str,
    ) -> ListLiveLinks_reply:
        """List live links for clients"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/live-links", workspaceId=workspace_id))

    def create_live_link(
        self,
        workspace_id: str,
        body: NewLiveLink,
        *,
        idempotency_key: str | None = None,
    ) -> CreateLiveLink_reply:
        """Create a page of live figures for a client"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/live-links", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def revoke_live_link(
        self,
        workspace_id: str,
        live_link_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke a live link"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/live-links/{liveLinkId}", workspaceId=workspace_id, liveLinkId=live_link_id), takes_key=True, idempotency_key=idempotency_key)

    def list_clients(
        self,
        workspace_id: str,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        currency: str | None = None,
    ) -> ListClients_reply:
        """List the clients of a workspace with figures, pacing, health and last report"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/clients", workspaceId=workspace_id), query={"date_from": date_from, "date_to": date_to, "model": model, "currency": currency})

    def tag_clients(
        self,
        workspace_id: str,
        body: TagClientsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> TagClients_reply:
        """Add tags to clients or remove tags"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/clients/tags", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_changes(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
        action: str | None = None,
    ) -> ListChanges_reply:
        """Recorded changes, newest first"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/audit", workspaceId=workspace_id), query={"cursor": cursor, "limit": limit, "profile_id": profile_id, "action": action})

    def list_person_access(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListPersonAccess_reply:
        """Views of personal data, newest first"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/pii-access-log", workspaceId=workspace_id), query={"cursor": cursor, "limit": limit, "profile_id": profile_id})

    def get_mcp_settings(
        self,
        workspace_id: str,
    ) -> GetMcpSettings_reply:
        """Get the settings for assistants (MCP)"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/mcp-settings", workspaceId=workspace_id))

    def put_mcp_settings(
        self,
        workspace_id: str,
        body: PutMcpSettingsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> PutMcpSettings_reply:
        """Replace the settings for assistants (MCP)"""
        return self._call("PUT", self._path("/api/v1/workspaces/{workspaceId}/mcp-settings", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_mcp_writebacks(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
        tool: str | None = None,
        outcome: Literal["previewed", "applied", "no_change", "refused", "failed"] | None = None,
    ) -> ListMcpWritebacks_reply:
        """List previews and writes of assistants"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/mcp-writeback-audits", workspaceId=workspace_id), query={"cursor": cursor, "limit": limit, "profile_id": profile_id, "tool": tool, "outcome": outcome})

    def mint_handoff(
        self,
        provider: Literal["social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads", "gmail", "microsoft_mail", "mailbox"],
        body: MintHandoffRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> MintHandoff_reply:
        """Create a link that a person follows to connect an account"""
        return self._call("POST", self._path("/api/v1/connections/{provider}/handoff", provider=provider), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_handoff(
        self,
        id: str,
    ) -> GetHandoff_reply:
        """Poll a hand-off"""
        return self._call("GET", self._path("/api/v1/handoffs/{id}", id=id))

    def send_event(
        self,
        body: EventInput | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SendEvent_reply:
        """Report one outcome from a server"""
        return self._call("POST", "/api/v1/events", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key, is_event=True)

    def send_events(
        self,
        body: SendEventsRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SendEvents_reply:
        """Report up to 1000 outcomes; valid ones are stored"""
        return self._call("POST", "/api/v1/events/batch", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key, batch="events")

    def look_up_events(
        self,
        *,
        event_id: str | None = None,
        idempotency_key: str | None = None,
        order_id: str | None = None,
        request_id: str | None = None,
        profile_id: str | None = None,
    ) -> LookUpEvents_reply:
        """Look up an event that was sent, accepted or refused"""
        return self._call("GET", "/api/v1/events/lookup", query={"event_id": event_id, "idempotency_key": idempotency_key, "order_id": order_id, "request_id": request_id, "profile_id": profile_id})

    def retract_event(
        self,
        body: RetractEventRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RetractEvent_reply:
        """Retract an event that was sent by mistake"""
        return self._call("POST", "/api/v1/events/retractions", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_goals(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListGoals_reply:
        """List conversion goals"""
        return self._call("GET", "/api/v1/goals", query={"profile_id": profile_id})

    def create_goal(
        self,
        body: CreateGoalRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateGoal_reply:
        """Create a conversion goal; past events count too"""
        return self._call("POST", "/api/v1/goals", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_goal(
        self,
        id: str,
        body: UpdateGoalRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateGoal_reply:
        """Change a conversion goal; past events are reprocessed"""
        return self._call("PATCH", self._path("/api/v1/goals/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_goal(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a conversion goal and its conversions"""
        return self._call("DELETE", self._path("/api/v1/goals/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def set_goal_target(
        self,
        id: str,
        body: SetGoalTargetRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SetGoalTarget_reply:
        """Set the weekly or monthly target of a goal"""
        return self._call("PUT", self._path("/api/v1/goals/{id}/target", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def import_spend(
        self,
        body: ImportSpendRequest | None = None,
        *,
        raw: RawBody | None = None,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ImportSpend_reply:
        """Import daily spend of a platform without a connector"""
        return self._call("POST", "/api/v1/imports/spend", query={"profile_id": profile_id}, body=body, raw=raw, takes_key=True, idempotency_key=idempotency_key)

    def list_campaigns(
        self,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        model: ModelParam | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        level: AdLevel | None = None,
        parent_id: str | None = None,
        profile_id: str | None = None,
    ) -> ListCampaigns_reply:
        """Spend, return and credited conversions per campaign, ad set or ad"""
        return self._call("GET", "/api/v1/campaigns", query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "model": model, "limit": limit, "cursor": cursor, "level": level, "parent_id": parent_id, "profile_id": profile_id})

    def campaign_trend(
        self,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        entity_ids: str,
        level: AdLevel | None = None,
        model: ModelParam | None = None,
        profile_id: str | None = None,
    ) -> CampaignTrend_reply:
        """Daily spend, impressions and clicks of up to 10 entities"""
        return self._call("GET", "/api/v1/campaigns/trend", query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "entity_ids": entity_ids, "level": level, "model": model, "profile_id": profile_id})

    def ad_trend(
        self,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        entity_ids: str,
        model: ModelParam | None = None,
        profile_id: str | None = None,
    ) -> AdTrend_reply:
        """Daily delivery of up to 10 ads, with conversations started"""
        return self._call("GET", "/api/v1/ads/trend", query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "entity_ids": entity_ids, "model": model, "profile_id": profile_id})

    def get_declared_report(
        self,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        profile_id: str | None = None,
    ) -> GetDeclaredReport_reply:
        """Declared sources of customers next to credited channels"""
        return self._call("GET", "/api/v1/reports/declared", query={"date_from": date_from, "date_to": date_to, "model": model, "profile_id": profile_id})

    def get_unattributed(
        self,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        model: ModelParam | None = None,
        level: AdLevel | None = None,
        profile_id: str | None = None,
    ) -> GetUnattributed_reply:
        """Conversions without credit to a campaign, ad set or ad"""
        return self._call("GET", "/api/v1/campaigns/unattributed", query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "model": model, "level": level, "profile_id": profile_id})

    def list_unattributed_reasons(
        self,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        as_of: str | None = None,
        profile_id: str | None = None,
    ) -> ListUnattributedReasons_reply:
        """Why conversions are credited to no campaign"""
        return self._call("GET", "/api/v1/reports/unattributed", query={"date_from": date_from, "date_to": date_to, "model": model, "as_of": as_of, "profile_id": profile_id})

    def list_unattributed_conversions(
        self,
        *,
        reason: UnattributedReason,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListUnattributedConversions_reply:
        """The conversions behind one reason"""
        return self._call("GET", "/api/v1/reports/unattributed/conversions", query={"reason": reason, "date_from": date_from, "date_to": date_to, "model": model, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def list_campaign_conversions(
        self,
        id: str,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListCampaignConversions_reply:
        """Conversions credited to a campaign, ad set or ad"""
        return self._call("GET", self._path("/api/v1/campaigns/{id}/conversions", id=id), query={"date_from": date_from, "date_to": date_to, "model": model, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def get_campaign(
        self,
        id: str,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        model: ModelParam | None = None,
        profile_id: str | None = None,
    ) -> GetCampaign_reply:
        """One campaign, ad set or ad in a range of days"""
        return self._call("GET", self._path("/api/v1/campaigns/{id}", id=id), query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "model": model, "profile_id": profile_id})

    def get_ad(
        self,
        id: str,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        model: ModelParam | None = None,
        profile_id: str | None = None,
    ) -> GetAd_reply:
        """One ad in a range of days"""
        return self._call("GET", self._path("/api/v1/ads/{id}", id=id), query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "model": model, "profile_id": profile_id})

    def compare_platforms(
        self,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        model: ModelParam | None = None,
        level: AdLevel | None = None,
        profile_id: str | None = None,
    ) -> ComparePlatforms_reply:
        """Conversions reported by the ad platforms next to ours; the two are never added"""
        return self._call("GET", "/api/v1/campaigns/platform-comparison", query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "model": model, "level": level, "profile_id": profile_id})

    def explain_platform_gap(
        self,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        level: AdLevel | None = None,
        entity_id: str | None = None,
        platform: str | None = None,
        examples: int | None = None,
        profile_id: str | None = None,
    ) -> ExplainPlatformGap_reply:
        """Why a platform’s count of sales differs from ours, step by step"""
        return self._call("GET", "/api/v1/campaigns/platform-comparison/explain", query={"date_from": date_from, "date_to": date_to, "model": model, "level": level, "entity_id": entity_id, "platform": platform, "examples": examples, "profile_id": profile_id})

    def get_ad_id_quality(
        self,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        as_of: str | None = None,
        profile_id: str | None = None,
    ) -> GetAdIdQuality_reply:
        """Paid clicks with and without an ad id, and the credit lost without one"""
        return self._call("GET", "/api/v1/quality/ad-ids", query={"date_from": date_from, "date_to": date_to, "model": model, "as_of": as_of, "profile_id": profile_id})

    def get_channels(
        self,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        model: ModelParam | None = None,
        by_day: Literal["true", "false"] | None = None,
        profile_id: str | None = None,
    ) -> GetChannels_reply:
        """All revenue by channel, paid and unpaid"""
        return self._call("GET", "/api/v1/reports/channels", query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "model": model, "by_day": by_day, "profile_id": profile_id})

    def get_journeys(
        self,
        *,
        date_from: str,
        date_to: str,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> GetJourneys_reply:
        """The most common channel paths to a payment"""
        return self._call("GET", "/api/v1/reports/journeys", query={"date_from": date_from, "date_to": date_to, "limit": limit, "profile_id": profile_id})

    def list_journey_payments(
        self,
        *,
        path: str,
        date_from: str,
        date_to: str,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListJourneyPayments_reply:
        """The payments of one path"""
        return self._call("GET", "/api/v1/reports/journeys/payments", query={"path": path, "date_from": date_from, "date_to": date_to, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def get_overview(
        self,
        *,
        date_from: str,
        date_to: str,
        as_of: str | None = None,
        model: ModelParam | None = None,
        profile_id: str | None = None,
    ) -> GetOverview_reply:
        """Spend and revenue of the whole profile, in total and per day"""
        return self._call("GET", "/api/v1/reports/overview", query={"date_from": date_from, "date_to": date_to, "as_of": as_of, "model": model, "profile_id": profile_id})

    def get_cohorts(
        self,
        *,
        date_from: str,
        date_to: str,
        by: CohortBy | None = None,
        model: ModelParam | None = None,
        horizon: int | None = None,
        profile_id: str | None = None,
    ) -> GetCohorts_reply:
        """Revenue of new customers over the months, and when it pays back the ad spend"""
        return self._call("GET", "/api/v1/reports/cohorts", query={"date_from": date_from, "date_to": date_to, "by": by, "model": model, "horizon": horizon, "profile_id": profile_id})

    def get_changes(
        self,
        *,
        date_from: str,
        date_to: str,
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        level: AdLevel | None = None,
        model: ModelParam | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> GetChanges_reply:
        """Why figures of past days changed"""
        return self._call("GET", "/api/v1/reports/changes", query={"date_from": date_from, "date_to": date_to, "since": since, "until": until, "as_of": as_of, "level": level, "model": model, "limit": limit, "profile_id": profile_id})

    def get_channel_rules(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetChannelRules_reply:
        """Channel overrides of the profile"""
        return self._call("GET", "/api/v1/quality/channel-rules", query={"profile_id": profile_id})

    def save_channel_rules(
        self,
        body: SaveChannelRulesRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SaveChannelRules_reply:
        """Replace the overrides and recompute credit by channel"""
        return self._call("PUT", "/api/v1/quality/channel-rules", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def test_channel_rules(
        self,
        *,
        url: str,
        referrer: str | None = None,
        profile_id: str | None = None,
    ) -> TestChannelRules_reply:
        """Test which rule decides the channel of a visit"""
        return self._call("GET", "/api/v1/quality/channel-rules/test", query={"url": url, "referrer": referrer, "profile_id": profile_id})

    def list_exchange_rates(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListExchangeRates_reply:
        """List exchange rates that were entered by hand for the profile"""
        return self._call("GET", "/api/v1/quality/exchange-rates", query={"profile_id": profile_id})

    def save_exchange_rate(
        self,
        body: SaveExchangeRateRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SaveExchangeRate_reply:
        """Enter an exchange rate and convert the amounts that lacked one"""
        return self._call("PUT", "/api/v1/quality/exchange-rates", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_exchange_rate(
        self,
        currency: str,
        day: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove an exchange rate that was entered by hand"""
        return self._call("DELETE", self._path("/api/v1/quality/exchange-rates/{currency}/{day}", currency=currency, day=day), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_annotations(
        self,
        *,
        date_from: str,
        date_to: str,
        profile_id: str | None = None,
    ) -> ListAnnotations_reply:
        """Notes on days, for example a sale or an outage"""
        return self._call("GET", "/api/v1/annotations", query={"date_from": date_from, "date_to": date_to, "profile_id": profile_id})

    def create_annotation(
        self,
        body: CreateAnnotationRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateAnnotation_reply:
        """Add a note to a day"""
        return self._call("POST", "/api/v1/annotations", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_annotation(
        self,
        id: str,
        body: UpdateAnnotationRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateAnnotation_reply:
        """Change a note or its day"""
        return self._call("PATCH", self._path("/api/v1/annotations/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_annotation(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a note"""
        return self._call("DELETE", self._path("/api/v1/annotations/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_saved_views(
        self,
        *,
        page: Literal["campaigns"] | None = None,
        profile_id: str | None = None,
    ) -> ListSavedViews_reply:
        """List saved views of a report"""
        return self._call("GET", "/api/v1/saved-views", query={"page": page, "profile_id": profile_id})

    def save_view(
        self,
        body: SaveViewRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SaveView_reply:
        """Save a view under a name"""
        return self._call("POST", "/api/v1/saved-views", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_view(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a saved view"""
        return self._call("DELETE", self._path("/api/v1/saved-views/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_notifications(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListNotifications_reply:
        """Notifications of a profile"""
        return self._call("GET", "/api/v1/notifications", query={"profile_id": profile_id})

    def read_notifications(
        self,
        body: ReadNotificationsRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ReadNotifications_reply:
        """Mark notifications up to a time as read"""
        return self._call("POST", "/api/v1/notifications/read", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_top_performers(
        self,
        *,
        window: ScoreWindowParam | None = None,
        limit: int | None = None,
        min_spend: float | None = None,
        objectives: str | None = None,
        truth_grades: str | None = None,
        outcome_kinds: str | None = None,
        formats: str | None = None,
        has_video: Literal["true", "false"] | None = None,
        profile_id: str | None = None,
    ) -> ListTopPerformers_reply:
        """Ads scored against comparable ads"""
        return self._call("GET", "/api/v1/top-performers", query={"window": window, "limit": limit, "min_spend": min_spend, "objectives": objectives, "truth_grades": truth_grades, "outcome_kinds": outcome_kinds, "formats": formats, "has_video": has_video, "profile_id": profile_id})

    def list_workspace_top_performers(
        self,
        workspace_id: str,
        *,
        window: ScoreWindowParam | None = None,
        limit: int | None = None,
        min_spend: float | None = None,
        objectives: str | None = None,
        truth_grades: str | None = None,
        outcome_kinds: str | None = None,
        formats: str | None = None,
        has_video: Literal["true", "false"] | None = None,
        profile_ids: str | None = None,
    ) -> ListWorkspaceTopPerformers_reply:
        """Top ads across every profile"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/top-performers", workspaceId=workspace_id), query={"window": window, "limit": limit, "min_spend": min_spend, "objectives": objectives, "truth_grades": truth_grades, "outcome_kinds": outcome_kinds, "formats": formats, "has_video": has_video, "profile_ids": profile_ids})

    def get_top_performers_brief(
        self,
        workspace_id: str,
        *,
        window: ScoreWindowParam | None = None,
        profile_ids: str | None = None,
    ) -> GetTopPerformersBrief_reply:
        """Six counters summarising the leaderboard"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/top-performers/brief", workspaceId=workspace_id), query={"window": window, "profile_ids": profile_ids})

    def export_top_performers(
        self,
        workspace_id: str,
        body: TopPerformersExport | None = None,
    ) -> bytes:
        """Export top ads as a bundle for a coding agent"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/top-performers/export", workspaceId=workspace_id), body=body, is_file=True)

    def list_snapshots(
        self,
        workspace_id: str,
    ) -> ListSnapshots_reply:
        """List shared leaderboards"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/snapshots", workspaceId=workspace_id))

    def capture_snapshot(
        self,
        workspace_id: str,
        body: SnapshotCapture,
        *,
        idempotency_key: str | None = None,
    ) -> CaptureSnapshot_reply:
        """Capture a leaderboard under a shareable link"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/snapshots", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def revoke_snapshot(
        self,
        workspace_id: str,
        snapshot_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke a snapshot link"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/snapshots/{snapshotId}", workspaceId=workspace_id, snapshotId=snapshot_id), takes_key=True, idempotency_key=idempotency_key)

    def get_attribution_settings(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetAttributionSettings_reply:
        """Lookback windows and half-life of the models"""
        return self._call("GET", "/api/v1/attribution/settings", query={"profile_id": profile_id})

    def update_attribution_settings(
        self,
        body: UpdateAttributionSettingsRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateAttributionSettings_reply:
        """Change lookback windows or half-life and recompute all credit"""
        return self._call("PATCH", "/api/v1/attribution/settings", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def start_recompute(
        self,
        body: StartRecomputeRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartRecompute_reply:
        """Recompute all credit of the profile"""
        return self._call("POST", "/api/v1/attribution/recompute", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def explain_conversion(
        self,
        id: str,
        *,
        model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct", "all"] | None = None,
        profile_id: str | None = None,
    ) -> ExplainConversion_reply:
        """Explain the credit of a conversion: every candidate touch in order"""
        return self._call("GET", self._path("/api/v1/conversions/{id}/explain", id=id), query={"model": model, "profile_id": profile_id})

    def list_payments(
        self,
        *,
        status: str | None = None,
        search: str | None = None,
        amount_min: str | None = None,
        amount_max: str | None = None,
        from_: str,
        to: str,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListPayments_reply:
        """List payments with manual corrections"""
        return self._call("GET", "/api/v1/payments", query={"status": status, "search": search, "amount_min": amount_min, "amount_max": amount_max, "from": from_, "to": to, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def set_installment(
        self,
        payment_id: str,
        body: SetInstallmentRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SetInstallment_reply:
        """Mark or unmark a payment as a later installment"""
        return self._call("PUT", self._path("/api/v1/payments/{payment_id}/installment", payment_id=payment_id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def set_payer(
        self,
        payment_id: str,
        body: SetPayerRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SetPayer_reply:
        """Set or remove the payer of a payment"""
        return self._call("PUT", self._path("/api/v1/payments/{payment_id}/payer", payment_id=payment_id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def record_refund(
        self,
        payment_id: str,
        body: RecordRefundRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RecordRefund_reply:
        """Record a refund made outside the provider; at most one per payment"""
        return self._call("POST", self._path("/api/v1/payments/{payment_id}/refund", payment_id=payment_id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_refund(
        self,
        payment_id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DeleteRefund_reply:
        """Undo a refund that was recorded by hand"""
        return self._call("DELETE", self._path("/api/v1/payments/{payment_id}/refund", payment_id=payment_id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_payment_linkage(
        self,
        *,
        model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"] | None = None,
        from_: str,
        to: str,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListPaymentLinkage_reply:
        """List how payments are linked to ads"""
        return self._call("GET", "/api/v1/payments/linkage", query={"model": model, "from": from_, "to": to, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def report_card_gateway_payment(
        self,
        body: ReportCardGatewayPaymentRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ReportCardGatewayPayment_reply:
        """Report a card-gateway payment directly, without a connection"""
        return self._call("POST", "/api/v1/payments/cardgateway", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_ad_people(
        self,
        *,
        date_from: str,
        date_to: str,
        group_by: Literal["month", "day", "ad"] | None = None,
        channel: Literal["chatapp", "photoapp", "pagechat", "web", "other"] | None = None,
        first_only: Literal["true", "false"] | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListAdPeople_reply:
        """Number of people reached by ads, without personal data"""
        return self._call("GET", "/api/v1/attribution/ad-people", query={"date_from": date_from, "date_to": date_to, "group_by": group_by, "channel": channel, "first_only": first_only, "limit": limit, "profile_id": profile_id})

    def send_ad_referral(
        self,
        body: SendAdReferralRequest,
        *,
        profile_id: str | None = None,
    ) -> SendAdReferral_reply:
        """Report the ad behind a conversation that was not received live"""
        return self._call("POST", "/api/v1/partner/ad-referrals", query={"profile_id": profile_id}, body=body)

    def list_connections(
        self,
        *,
        channel: Literal["social_ads", "engine_ads", "engine_search_console", "engine_calendar", "external_calendar", "microsoft_ads", "crmsuite", "cardpay", "regionalpay", "storefront", "woocommerce", "hubspot", "linkedin_ads", "tiktok_ads", "banklink", "chatbot", "pagechat", "photoapp", "chatapp", "mailbox", "gmail", "microsoft_mail"] | None = None,
        profile_id: str | None = None,
    ) -> ListConnections_reply:
        """List the connections and their health"""
        return self._call("GET", "/api/v1/connections", query={"channel": channel, "profile_id": profile_id})

    def get_connection(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> GetConnection_reply:
        """Read one connection"""
        return self._call("GET", self._path("/api/v1/connections/{id}", id=id), query={"profile_id": profile_id})

    def delete_connection(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """End the calling app’s authorization for a connection, and all its keys"""
        return self._call("DELETE", self._path("/api/v1/connections/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def disconnect_connection(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DisconnectConnection_reply:
        """Disconnect an account from the profile"""
        return self._call("POST", self._path("/api/v1/connections/{id}/disconnect", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_pixels(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> ListPixels_reply:
        """List the pixels of an ad account, live from the platform"""
        return self._call("GET", self._path("/api/v1/connections/{id}/pixels", id=id), query={"profile_id": profile_id})

    def list_pending_choices(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListPendingChoices_reply:
        """List consents that wait for the choice of an account"""
        return self._call("GET", "/api/v1/connections/pending", query={"profile_id": profile_id})

    def list_candidates(
        self,
        provider: ProviderParam,
        *,
        profile_id: str | None = None,
    ) -> ListCandidates_reply:
        """List the accounts that a consent covers"""
        return self._call("GET", self._path("/api/v1/connections/pending/{provider}", provider=provider), query={"profile_id": profile_id})

    def finalize_connection(
        self,
        provider: ProviderParam,
        body: FinalizeConnectionRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> FinalizeConnection_reply:
        """Choose the account to connect"""
        return self._call("POST", self._path("/api/v1/connections/pending/{provider}/finalize", provider=provider), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def start_sync(
        self,
        body: StartSyncRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartSync_reply:
        """Start a sync"""
        return self._call("POST", "/api/v1/connections/sync", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_sync_status(
        self,
        *,
        provider: ProviderParam,
        profile_id: str | None = None,
    ) -> GetSyncStatus_reply:
        """Read a provider’s sync progress"""
        return self._call("GET", "/api/v1/connections/sync/status", query={"provider": provider, "profile_id": profile_id})

    def list_stages(
        self,
        provider: ProviderParam,
        *,
        profile_id: str | None = None,
    ) -> ListStages_reply:
        """Read a CRM’s pipeline stages with suggested and current outcomes"""
        return self._call("GET", self._path("/api/v1/connections/{provider}/stages", provider=provider), query={"profile_id": profile_id})

    def save_stages(
        self,
        provider: ProviderParam,
        body: SaveStagesRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SaveStages_reply:
        """Map pipeline stages to outcomes"""
        return self._call("PUT", self._path("/api/v1/connections/{provider}/stages", provider=provider), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def prefill_outcomes(
        self,
        *,
        profile_id: str | None = None,
    ) -> PrefillOutcomes_reply:
        """Suggest outcome mappings from the CRM’s pipeline stages"""
        return self._call("GET", "/api/v1/integrations/crmsuite/outcomes/prefill", query={"profile_id": profile_id})

    def list_manual_stores(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListManualStores_reply:
        """List the manual store webhook connections"""
        return self._call("GET", "/api/v1/integrations/storefront/manual-connections", query={"profile_id": profile_id})

    def create_manual_store(
        self,
        body: CreateManualStoreRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateManualStore_reply:
        """Create a manual store webhook connection"""
        return self._call("POST", "/api/v1/integrations/storefront/manual-connections", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def set_signing_id(
        self,
        connection_id: str,
        body: SetSigningIdRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SetSigningId_reply:
        """Store the store’s webhook signing id"""
        return self._call("PATCH", self._path("/api/v1/integrations/storefront/manual-connections/{connectionId}", connectionId=connection_id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_manual_store(
        self,
        connection_id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove a manual store webhook connection"""
        return self._call("DELETE", self._path("/api/v1/integrations/storefront/manual-connections/{connectionId}", connectionId=connection_id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def activate_web_pixel(
        self,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ActivateWebPixel_reply:
        """Install the store app’s web pixel again"""
        return self._call("POST", "/api/v1/integrations/storefront/web-pixel/activate", query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_pages(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListPages_reply:
        """List the tracked pages"""
        return self._call("GET", "/api/v1/integrations/social/pages", query={"profile_id": profile_id})

    def track_pages(
        self,
        body: TrackPagesRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> TrackPages_reply:
        """Replace the set of tracked pages"""
        return self._call("POST", "/api/v1/integrations/social/pages", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_available_pages(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListAvailablePages_reply:
        """List the pages that the connected account can see, live"""
        return self._call("GET", "/api/v1/integrations/social/pages/available", query={"profile_id": profile_id})

    def get_chatbot(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetChatbot_reply:
        """Read the chatbot connection"""
        return self._call("GET", "/api/v1/integrations/chatbot/connection", query={"profile_id": profile_id})

    def save_chatbot(
        self,
        body: SaveChatbotRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SaveChatbot_reply:
        """Create or update the chatbot connection"""
        return self._call("POST", "/api/v1/integrations/chatbot/connection", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def start_bank_link(
        self,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartBankLink_reply:
        """Start a bank link"""
        return self._call("POST", "/api/v1/integrations/banklink/link/start", query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def connect_bank_link(
        self,
        body: ConnectBankLinkRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ConnectBankLink_reply:
        """Finish a bank link and return the connection"""
        return self._call("POST", "/api/v1/integrations/banklink/link/connect", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def start_calendar_link(
        self,
        body: StartCalendarLinkRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartCalendarLink_reply:
        """Create a link that a person follows to connect a calendar account"""
        return self._call("POST", "/api/v1/integrations/calendar/link/start", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_calendars(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListCalendars_reply:
        """List the calendars of connected accounts"""
        return self._call("GET", "/api/v1/calendars", query={"profile_id": profile_id})

    def create_calendar(
        self,
        body: CreateCalendarRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateCalendar_reply:
        """Create a calendar in the connected account"""
        return self._call("POST", "/api/v1/calendars", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def share_calendar(
        self,
        id: str,
        body: ShareCalendarRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Share a calendar that was created through the API"""
        return self._call("POST", self._path("/api/v1/calendars/{id}/share", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_calendar_events(
        self,
        id: str,
        *,
        from_: str,
        to: str,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListCalendarEvents_reply:
        """Read the events of a calendar, live"""
        return self._call("GET", self._path("/api/v1/calendars/{id}/events", id=id), query={"from": from_, "to": to, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def list_messaging_accounts(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListMessagingAccounts_reply:
        """List the accounts that can receive messages, live from the platform"""
        return self._call("GET", "/api/v1/messaging/accounts", query={"profile_id": profile_id})

    def connect_messaging_account(
        self,
        body: Union[ConnectMessagingAccount_body_1, ConnectMessagingAccount_body_2],
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ConnectMessagingAccount_reply:
        """Connect an account that receives messages"""
        return self._call("POST", "/api/v1/messaging/accounts", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def start_mailbox_link(
        self,
        body: StartMailboxLinkRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartMailboxLink_reply:
        """Create a link that a person follows to connect a mailbox"""
        return self._call("POST", "/api/v1/integrations/mailbox/link/start", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def upload_chat_media(
        self,
        *,
        raw: RawBody | None = None,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UploadChatMedia_reply:
        """Upload a file to send in the chat app"""
        return self._call("POST", "/api/v1/chatapp/media", query={"profile_id": profile_id}, raw=raw, takes_key=True, idempotency_key=idempotency_key)

    def get_chat_media(
        self,
        media_id: str,
        *,
        profile_id: str | None = None,
    ) -> bytes:
        """Read a file of the chat app"""
        return self._call("GET", self._path("/api/v1/chatapp/media/{media_id}", media_id=media_id), query={"profile_id": profile_id}, is_file=True)

    def list_chat_numbers(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListChatNumbers_reply:
        """List the numbers of the chat account, live"""
        return self._call("GET", "/api/v1/chatapp/numbers", query={"profile_id": profile_id})

    def request_chat_code(
        self,
        id: str,
        body: RequestChatCodeRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RequestChatCode_reply:
        """Request the verification code of a number"""
        return self._call("POST", self._path("/api/v1/chatapp/numbers/{id}/code", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def register_chat_number(
        self,
        id: str,
        body: RegisterChatNumberRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RegisterChatNumber_reply:
        """Register a number for messages"""
        return self._call("POST", self._path("/api/v1/chatapp/numbers/{id}/register", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def send_message(
        self,
        id: str,
        body: NewMessage,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SendMessage_reply:
        """Send a message to the person of a conversation"""
        return self._call("POST", self._path("/api/v1/conversations/{id}/messages", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def send_mail(
        self,
        body: NewMail,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SendMail_reply:
        """Send a mail from a connected mailbox"""
        return self._call("POST", "/api/v1/mail/messages", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_campaign_status(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> GetCampaignStatus_reply:
        """Read a campaign’s status and budget from the platform, live"""
        return self._call("GET", self._path("/api/v1/campaigns/{id}/status", id=id), query={"profile_id": profile_id})

    def pause_campaign(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> PauseCampaign_reply:
        """Pause a campaign at the platform"""
        return self._call("POST", self._path("/api/v1/campaigns/{id}/pause", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def resume_campaign(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ResumeCampaign_reply:
        """Resume a paused campaign at the platform"""
        return self._call("POST", self._path("/api/v1/campaigns/{id}/resume", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def pause_ad_set(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> PauseAdSet_reply:
        """Pause an ad set at the platform"""
        return self._call("POST", self._path("/api/v1/ad-sets/{id}/pause", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def resume_ad_set(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ResumeAdSet_reply:
        """Resume a paused ad set at the platform"""
        return self._call("POST", self._path("/api/v1/ad-sets/{id}/resume", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def pause_ad(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> PauseAd_reply:
        """Pause an ad at the platform"""
        return self._call("POST", self._path("/api/v1/ads/{id}/pause", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def resume_ad(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ResumeAd_reply:
        """Resume a paused ad at the platform"""
        return self._call("POST", self._path("/api/v1/ads/{id}/resume", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def set_campaign_budget(
        self,
        id: str,
        body: Budget | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SetCampaignBudget_reply:
        """Set a campaign’s daily or lifetime budget, in the ad account’s currency"""
        return self._call("PUT", self._path("/api/v1/campaigns/{id}/budget", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def set_ad_set_budget(
        self,
        id: str,
        body: Budget | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SetAdSetBudget_reply:
        """Set an ad set’s daily or lifetime budget, in the ad account’s currency"""
        return self._call("PUT", self._path("/api/v1/ad-sets/{id}/budget", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_pacing(
        self,
        workspace_id: str,
        *,
        month: str | None = None,
        profile_ids: str | None = None,
    ) -> GetPacing_reply:
        """Month-to-date spend and outcomes against budget, with a forecast"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/pacing", workspaceId=workspace_id), query={"month": month, "profile_ids": profile_ids})

    def set_pacing_target(
        self,
        workspace_id: str,
        body: SetPacingTargetRequest,
        *,
        idempotency_key: str | None = None,
    ) -> SetPacingTarget_reply:
        """Set the budget of a profile at a provider for a month"""
        return self._call("PUT", self._path("/api/v1/workspaces/{workspaceId}/pacing/targets", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_experiments(
        self,
        workspace_id: str,
        *,
        profile_ids: str | None = None,
    ) -> ListExperiments_reply:
        """Lift, split and geo studies, with our reading and a verdict"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/experiments", workspaceId=workspace_id), query={"profile_ids": profile_ids})

    def design_geo_experiment(
        self,
        *,
        metric: Literal["payments", "conversions"] | None = None,
        effect: float | None = None,
        treated: str | None = None,
        lot: int | None = None,
        profile_id: str | None = None,
    ) -> DesignGeoExperiment_reply:
        """Propose a geo study from the history of the profile’s regions"""
        return self._call("GET", "/api/v1/experiments/geo-design", query={"metric": metric, "effect": effect, "treated": treated, "lot": lot, "profile_id": profile_id})

    def create_geo_experiment(
        self,
        body: CreateGeoExperimentRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateGeoExperiment_reply:
        """Create a geo study from a design"""
        return self._call("POST", "/api/v1/experiments", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def cancel_geo_experiment(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Cancel a geo study created through POST /experiments"""
        return self._call("DELETE", self._path("/api/v1/experiments/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_recommendations(
        self,
        workspace_id: str,
        *,
        profile_ids: str | None = None,
        status: Literal["open", "applied", "undone", "dismissed", "expired"] | None = None,
    ) -> ListRecommendations_reply:
        """Open recommendations with evidence and expected effect"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/recommendations", workspaceId=workspace_id), query={"profile_ids": profile_ids, "status": status})

    def apply_recommendation(
        self,
        workspace_id: str,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> ApplyRecommendation_reply:
        """Apply a recommendation at the platform"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/recommendations/{id}/apply", workspaceId=workspace_id, id=id), takes_key=True, idempotency_key=idempotency_key)

    def undo_recommendation(
        self,
        workspace_id: str,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> UndoRecommendation_reply:
        """Undo an applied recommendation"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/recommendations/{id}/undo", workspaceId=workspace_id, id=id), takes_key=True, idempotency_key=idempotency_key)

    def dismiss_recommendation(
        self,
        workspace_id: str,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> DismissRecommendation_reply:
        """Dismiss a recommendation for four weeks"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/recommendations/{id}/dismiss", workspaceId=workspace_id, id=id), takes_key=True, idempotency_key=idempotency_key)

    def list_creative_patterns(
        self,
        workspace_id: str,
        *,
        profile_ids: str | None = None,
    ) -> ListCreativePatterns_reply:
        """Pairs of traits associated with better or worse results, across profiles"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/creative-patterns", workspaceId=workspace_id), query={"profile_ids": profile_ids})

    def list_creative_dimensions(
        self,
        workspace_id: str,
        *,
        profile_ids: str | None = None,
    ) -> ListCreativeDimensions_reply:
        """Traits of ads associated with better or worse results"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/creative-patterns/dimensions", workspaceId=workspace_id), query={"profile_ids": profile_ids})

    def list_creative_archetypes(
        self,
        workspace_id: str,
        *,
        profile_ids: str | None = None,
    ) -> ListCreativeArchetypes_reply:
        """Archetypes of ads, and how often each wins"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/creative-archetypes", workspaceId=workspace_id), query={"profile_ids": profile_ids})

    def get_data_driven(
        self,
        *,
        as_of: str | None = None,
        profile_id: str | None = None,
    ) -> GetDataDriven_reply:
        """Revenue by channel under a model learned from visits with and without a payment"""
        return self._call("GET", "/api/v1/attribution/data-driven", query={"as_of": as_of, "profile_id": profile_id})

    def get_doctor(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetDoctor_reply:
        """Data problems and how to fix them"""
        return self._call("GET", "/api/v1/quality/doctor", query={"profile_id": profile_id})

    def run_doctor(
        self,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RunDoctor_reply:
        """Run the data-health checks now"""
        return self._call("POST", "/api/v1/quality/doctor/check", query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def issue_tracking_key(
        self,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> IssueTrackingKey_reply:
        """Issue the tracking key, or return the active one"""
        return self._call("POST", "/api/v1/tracking/keys", query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_tracking_keys(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListTrackingKeys_reply:
        """List the active tracking keys"""
        return self._call("GET", "/api/v1/tracking/keys", query={"profile_id": profile_id})

    def revoke_tracking_key(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Revoke a tracking key"""
        return self._call("DELETE", self._path("/api/v1/tracking/keys/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def get_tracking_snippet(
        self,
        *,
        social_pixel_id: str | None = None,
        profile_id: str | None = None,
    ) -> GetTrackingSnippet_reply:
        """Read the tracker snippet, optionally with the ad platform’s pixel"""
        return self._call("GET", "/api/v1/tracking/snippet", query={"social_pixel_id": social_pixel_id, "profile_id": profile_id})

    def get_tag_manager_installer(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetTagManagerInstaller_reply:
        """Read the tracker as an import file for a tag manager"""
        return self._call("GET", "/api/v1/tracking/installers/gtm", query={"profile_id": profile_id})

    def get_tracking_templates(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetTrackingTemplates_reply:
        """List the URL templates for each ad platform, and whether their parameters arrive"""
        return self._call("GET", "/api/v1/tracking/templates", query={"profile_id": profile_id})

    def get_storefront_pixel_installer(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetStorefrontPixelInstaller_reply:
        """Read the code of a store’s custom web pixel"""
        return self._call("GET", "/api/v1/tracking/installers/storefront-pixel", query={"profile_id": profile_id})

    def list_tracking_domains(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListTrackingDomains_reply:
        """List the first-party tracking domains"""
        return self._call("GET", "/api/v1/tracking/custom-domains", query={"profile_id": profile_id})

    def create_tracking_domain(
        self,
        body: CreateTrackingDomainRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateTrackingDomain_reply:
        """Register a first-party tracking domain"""
        return self._call("POST", "/api/v1/tracking/custom-domains", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_tracking_domain(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove a tracking domain"""
        return self._call("DELETE", self._path("/api/v1/tracking/custom-domains/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def verify_tracking_domain(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> VerifyTrackingDomain_reply:
        """Check the DNS record of a tracking domain"""
        return self._call("POST", self._path("/api/v1/tracking/custom-domains/{id}/verify", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_tracked_events(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        event_name: str | None = None,
        profile_id: str | None = None,
    ) -> ListTrackedEvents_reply:
        """List raw enriched events, newest first"""
        return self._call("GET", "/api/v1/tracking/events", query={"cursor": cursor, "limit": limit, "event_name": event_name, "profile_id": profile_id})

    def get_tracking_ops(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetTrackingOps_reply:
        """Read the state and lag of the event pipeline"""
        return self._call("GET", "/api/v1/tracking/ops", query={"profile_id": profile_id})

    def get_tracking_origin(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetTrackingOrigin_reply:
        """Read the origin that the profile’s tracker sends events to"""
        return self._call("GET", "/api/v1/tracking/origin", query={"profile_id": profile_id})

    def get_tracking_quality(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetTrackingQuality_reply:
        """Read the tracking health of the last seven days"""
        return self._call("GET", "/api/v1/tracking/quality", query={"profile_id": profile_id})

    def get_replay_status(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetReplayStatus_reply:
        """Read the most recent recompute of credits"""
        return self._call("GET", "/api/v1/tracking/replay-status", query={"profile_id": profile_id})

    def get_tracking_settings(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetTrackingSettings_reply:
        """Read the tracker and enrichment settings"""
        return self._call("GET", "/api/v1/tracking/settings", query={"profile_id": profile_id})

    def update_tracking_settings(
        self,
        body: UpdateTrackingSettingsRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateTrackingSettings_reply:
        """Change tracker and enrichment settings"""
        return self._call("PATCH", "/api/v1/tracking/settings", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_verification(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetVerification_reply:
        """Read the latest install check"""
        return self._call("GET", "/api/v1/tracking/verification", query={"profile_id": profile_id})

    def start_verification(
        self,
        body: StartVerificationRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartVerification_reply:
        """Start an install check"""
        return self._call("POST", "/api/v1/tracking/verification", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_tracking_consent(
        self,
        *,
        date_from: str | None = None,
        date_to: str | None = None,
        profile_id: str | None = None,
    ) -> GetTrackingConsent_reply:
        """Count what visitors stated about consent, by source and day"""
        return self._call("GET", "/api/v1/tracking/consent", query={"date_from": date_from, "date_to": date_to, "profile_id": profile_id})

    def create_own_browser_link(
        self,
        body: CreateOwnBrowserLinkRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateOwnBrowserLink_reply:
        """Create a link that excludes the browser it is opened in"""
        return self._call("POST", "/api/v1/tracking/own-browser", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_declared_vocabulary(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetDeclaredVocabulary_reply:
        """List the answers to "How did you hear about us?" """
        return self._call("GET", "/api/v1/declared-sources/vocabulary", query={"profile_id": profile_id})

    def save_declared_vocabulary(
        self,
        body: SaveDeclaredVocabularyRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SaveDeclaredVocabulary_reply:
        """Replace the answers that the profile adds"""
        return self._call("PUT", "/api/v1/declared-sources/vocabulary", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def declare_source(
        self,
        body: DeclareSourceRequest,
        *,
        profile_id: str | None = None,
    ) -> DeclareSource_reply:
        """Report the answer of a customer"""
        return self._call("POST", "/api/v1/declared-sources", query={"profile_id": profile_id}, body=body)

    def list_short_links(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListShortLinks_reply:
        """List the short links, newest first"""
        return self._call("GET", "/api/v1/short-links", query={"cursor": cursor, "limit": limit, "profile_id": profile_id})

    def create_short_link(
        self,
        body: CreateShortLinkRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateShortLink_reply:
        """Create a short link to a page or a chat"""
        return self._call("POST", "/api/v1/short-links", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_short_link(
        self,
        id: str,
        body: UpdateShortLinkRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateShortLink_reply:
        """Change a short link"""
        return self._call("PATCH", self._path("/api/v1/short-links/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_short_link(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a short link"""
        return self._call("DELETE", self._path("/api/v1/short-links/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def get_short_link_code(
        self,
        id: str,
        *,
        size: str | None = None,
        margin: str | None = None,
        ecc: Literal["L", "M", "Q", "H"] | None = None,
        profile_id: str | None = None,
    ) -> bytes:
        """Read the QR code of a short link"""
        return self._call("GET", self._path("/api/v1/short-links/{id}/qr.svg", id=id), query={"size": size, "margin": margin, "ecc": ecc, "profile_id": profile_id}, is_file=True)

    def get_utm_health(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetUtmHealth_reply:
        """Result of the latest check of the ads’ URL parameters"""
        return self._call("GET", "/api/v1/quality/utm-health", query={"profile_id": profile_id})

    def scan_utm_health(
        self,
        body: ScanUtmHealthRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ScanUtmHealth_reply:
        """Check the URL parameters of all ads now"""
        return self._call("POST", "/api/v1/quality/utm-health/scan", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def create_demo_profile(
        self,
        body: CreateDemoProfileRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CreateDemoProfile_reply:
        """Create the workspace’s demo profile"""
        return self._call("POST", "/api/v1/profiles/demo", body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_demo_profile(
        self,
        *,
        workspace_id: str,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete the workspace’s demo profile"""
        return self._call("DELETE", "/api/v1/profiles/demo", query={"workspace_id": workspace_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_webhook_subscriptions(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListWebhookSubscriptions_reply:
        """Webhook subscriptions"""
        return self._call("GET", "/api/v1/webhooks/subscriptions", query={"profile_id": profile_id})

    def create_webhook_subscription(
        self,
        body: CreateWebhookSubscriptionRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateWebhookSubscription_reply:
        """Subscribe an HTTPS endpoint to events"""
        return self._call("POST", "/api/v1/webhooks/subscriptions", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_webhook_subscription(
        self,
        id: str,
        body: UpdateWebhookSubscriptionRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateWebhookSubscription_reply:
        """Change, pause or resume a subscription"""
        return self._call("PATCH", self._path("/api/v1/webhooks/subscriptions/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_webhook_subscription(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a subscription"""
        return self._call("DELETE", self._path("/api/v1/webhooks/subscriptions/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def rotate_webhook_secret(
        self,
        id: str,
        body: RotateWebhookSecretRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RotateWebhookSecret_reply:
        """Rotate the signing secret with a grace period"""
        return self._call("POST", self._path("/api/v1/webhooks/subscriptions/{id}/rotate-secret", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def test_webhook_subscription(
        self,
        id: str,
        body: TestWebhookSubscriptionRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> TestWebhookSubscription_reply:
        """Send a synthetic, correctly signed event to a subscription"""
        return self._call("POST", self._path("/api/v1/webhooks/test/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def recover_webhook_events(
        self,
        id: str,
        body: RecoverWebhookEventsRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RecoverWebhookEvents_reply:
        """Enqueue all matching events since a time that were not delivered"""
        return self._call("POST", self._path("/api/v1/webhooks/subscriptions/{id}/recover", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_webhook_deliveries(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        subscription_id: str | None = None,
        status: Literal["pending", "delivered", "failed", "cancelled"] | None = None,
        profile_id: str | None = None,
    ) -> ListWebhookDeliveries_reply:
        """Deliveries, newest first"""
        return self._call("GET", "/api/v1/webhooks/deliveries", query={"cursor": cursor, "limit": limit, "subscription_id": subscription_id, "status": status, "profile_id": profile_id})

    def get_webhook_delivery(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> GetWebhookDelivery_reply:
        """One delivery with its attempts"""
        return self._call("GET", self._path("/api/v1/webhooks/deliveries/{id}", id=id), query={"profile_id": profile_id})

    def replay_webhook_delivery(
        self,
        id: str,
        body: ReplayWebhookDeliveryRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ReplayWebhookDelivery_reply:
        """Enqueue the stored payload of a delivery again"""
        return self._call("POST", self._path("/api/v1/webhooks/deliveries/{id}/replay", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_recorded_outcomes(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        outcome_type: str | None = None,
        provider: Literal["crmsuite", "regionalpay", "hubspot"] | None = None,
        profile_id: str | None = None,
    ) -> ListRecordedOutcomes_reply:
        """Replay outcome.recorded events in order"""
        return self._call("GET", "/api/v1/outcomes/recorded", query={"cursor": cursor, "limit": limit, "outcome_type": outcome_type, "provider": provider, "profile_id": profile_id})

    def erase_customer(
        self,
        body: EraseCustomerRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> EraseCustomer_reply:
        """Erase a customer's personal data, with a partner app's API key"""
        return self._call("POST", "/api/v1/customers/erasures", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_erasure(
        self,
        erasure_id: str,
        *,
        profile_id: str | None = None,
    ) -> GetErasure_reply:
        """Get the receipt of an erasure"""
        return self._call("GET", self._path("/api/v1/customers/erasures/{erasure_id}", erasure_id=erasure_id), query={"profile_id": profile_id})

    def erase_workspace_customer(
        self,
        workspace_id: str,
        body: EraseWorkspaceCustomerRequest,
        *,
        idempotency_key: str | None = None,
    ) -> EraseWorkspaceCustomer_reply:
        """Erase a customer's personal data, as owner or admin"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/customer-erasures", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_workspace_erasure(
        self,
        workspace_id: str,
        erasure_id: str,
    ) -> GetWorkspaceErasure_reply:
        """Get the receipt of an erasure in one of the workspace's profiles"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/customer-erasures/{erasure_id}", workspaceId=workspace_id, erasure_id=erasure_id))

    def request_customer_data_export(
        self,
        body: RequestCustomerDataExportRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RequestCustomerDataExport_reply:
        """Export one customer's data, with a partner app's API key"""
        return self._call("POST", "/api/v1/customers/data-exports", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def request_workspace_customer_data_export(
        self,
        workspace_id: str,
        body: RequestWorkspaceCustomerDataExportRequest,
        *,
        idempotency_key: str | None = None,
    ) -> RequestWorkspaceCustomerDataExport_reply:
        """Export one customer's data, as owner or admin"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/customer-data-exports", workspaceId=workspace_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_workspace_customer_data_exports(
        self,
        workspace_id: str,
        *,
        status: Literal["awaiting_identity", "pending", "ready", "expired", "failed", "cancelled"] | None = None,
        due: Literal["overdue"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ListWorkspaceCustomerDataExports_reply:
        """List the exports of customers' data"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/customer-data-exports", workspaceId=workspace_id), query={"status": status, "due": due, "cursor": cursor, "limit": limit})

    def get_customer_data_export(
        self,
        data_export_id: str,
        *,
        profile_id: str | None = None,
    ) -> GetCustomerDataExport_reply:
        """Get the receipt of an export of a customer's data"""
        return self._call("GET", self._path("/api/v1/customers/data-exports/{data_export_id}", data_export_id=data_export_id), query={"profile_id": profile_id})

    def delete_customer_data_export(
        self,
        data_export_id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Cancel an export of a customer's data, or delete its file"""
        return self._call("DELETE", self._path("/api/v1/customers/data-exports/{data_export_id}", data_export_id=data_export_id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def get_workspace_customer_data_export(
        self,
        workspace_id: str,
        data_export_id: str,
    ) -> GetWorkspaceCustomerDataExport_reply:
        """Get the receipt of an export in one of the workspace's profiles"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}", workspaceId=workspace_id, data_export_id=data_export_id))

    def delete_workspace_customer_data_export(
        self,
        workspace_id: str,
        data_export_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Cancel an export, or delete its file"""
        return self._call("DELETE", self._path("/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}", workspaceId=workspace_id, data_export_id=data_export_id), takes_key=True, idempotency_key=idempotency_key)

    def confirm_customer_data_export(
        self,
        data_export_id: str,
        body: Union[ConfirmCustomerDataExport_body_1, ConfirmCustomerDataExport_body_2],
        *,
        profile_id: str | None = None,
    ) -> ConfirmCustomerDataExport_reply:
        """State how the person was identified, or answer with the mailed code"""
        return self._call("POST", self._path("/api/v1/customers/data-exports/{data_export_id}/identity-check", data_export_id=data_export_id), query={"profile_id": profile_id}, body=body)

    def confirm_workspace_customer_data_export(
        self,
        workspace_id: str,
        data_export_id: str,
        body: Union[ConfirmWorkspaceCustomerDataExport_body_1, ConfirmWorkspaceCustomerDataExport_body_2],
    ) -> ConfirmWorkspaceCustomerDataExport_reply:
        """State how the person was identified, or enter the mailed code"""
        return self._call("POST", self._path("/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}/identity-check", workspaceId=workspace_id, data_export_id=data_export_id), body=body)

    def download_customer_data_export(
        self,
        data_export_id: str,
        *,
        profile_id: str | None = None,
    ) -> bytes:
        """Download the file of a customer's data"""
        return self._call("GET", self._path("/api/v1/customers/data-exports/{data_export_id}/file", data_export_id=data_export_id), query={"profile_id": profile_id}, is_file=True)

    def download_workspace_customer_data_export(
        self,
        workspace_id: str,
        data_export_id: str,
    ) -> bytes:
        """Download the file of a customer's data, as owner or admin"""
        return self._call("GET", self._path("/api/v1/workspaces/{workspaceId}/customer-data-exports/{data_export_id}/file", workspaceId=workspace_id, data_export_id=data_export_id), is_file=True)

    def scan_merge_proposals(
        self,
        body: ScanMergeProposalsRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ScanMergeProposals_reply:
        """Find pairs of customers that may be the same person"""
        return self._call("POST", "/api/v1/identity/merge-proposals/scan", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_merge_proposals(
        self,
        *,
        status: Literal["open", "snoozed", "merged", "dismissed"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListMergeProposals_reply:
        """List pairs of customers that may be the same person, newest first"""
        return self._call("GET", "/api/v1/identity/merge-proposals", query={"status": status, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def preview_merge_proposal(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> PreviewMergeProposal_reply:
        """Preview the merge of a proposal: the records that would move"""
        return self._call("GET", self._path("/api/v1/identity/merge-proposals/{id}/preview", id=id), query={"profile_id": profile_id})

    def decide_merge_proposal(
        self,
        id: str,
        body: DecideMergeProposalRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DecideMergeProposal_reply:
        """Merge, dismiss or snooze a proposal"""
        return self._call("POST", self._path("/api/v1/identity/merge-proposals/{id}/decide", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def preview_merge(
        self,
        *,
        from_customer_id: str,
        into_customer_id: str,
        profile_id: str | None = None,
    ) -> PreviewMerge_reply:
        """Preview merging one customer into another: the records that would move"""
        return self._call("GET", "/api/v1/identity/merge-preview", query={"from_customer_id": from_customer_id, "into_customer_id": into_customer_id, "profile_id": profile_id})

    def list_merges(
        self,
        *,
        customer_id: str,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListMerges_reply:
        """List past merges into a customer, newest first"""
        return self._call("GET", "/api/v1/identity/merge-history", query={"customer_id": customer_id, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def undo_merge(
        self,
        audit_log_id: str,
        body: UndoMergeRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UndoMerge_reply:
        """Undo a merge and separate the customers again"""
        return self._call("POST", self._path("/api/v1/identity/merges/{auditLogId}/undo", auditLogId=audit_log_id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_identity_links(
        self,
        *,
        customer_id: str | None = None,
        status: LinkStatus | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListIdentityLinks_reply:
        """List links between identifiers that appeared in the same event"""
        return self._call("GET", "/api/v1/identity/links", query={"customer_id": customer_id, "status": status, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def decide_identity_link(
        self,
        id: str,
        body: DecideIdentityLinkRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DecideIdentityLink_reply:
        """Accept or reject a link between identifiers"""
        return self._call("POST", self._path("/api/v1/identity/links/{id}/decide", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def scan_identity_repairs(
        self,
        *,
        country: str | None = None,
        limit: int | None = None,
        offset: str | None = None,
        profile_id: str | None = None,
    ) -> ScanIdentityRepairs_reply:
        """List customers whose email or phone can be repaired, and count duplicates"""
        return self._call("GET", "/api/v1/identity/repair-scan", query={"country": country, "limit": limit, "offset": offset, "profile_id": profile_id})

    def repair_identity(
        self,
        body: RepairIdentityRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RepairIdentity_reply:
        """Preview or apply the repairs of the repair scan"""
        return self._call("POST", "/api/v1/identity/repair", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def preview_phone_repair(
        self,
        body: PreviewPhoneRepairRequest | None = None,
        *,
        profile_id: str | None = None,
    ) -> PreviewPhoneRepair_reply:
        """Preview which customers a phone repair would split"""
        return self._call("POST", "/api/v1/identity/phone-repairs/preview", query={"profile_id": profile_id}, body=body)

    def start_phone_repair(
        self,
        body: StartPhoneRepairRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartPhoneRepair_reply:
        """Split customers that were merged by misread phone numbers"""
        return self._call("POST", "/api/v1/identity/phone-repairs", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_phone_repairs(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListPhoneRepairs_reply:
        """List phone repairs of the profile, newest first"""
        return self._call("GET", "/api/v1/identity/phone-repairs", query={"cursor": cursor, "limit": limit, "profile_id": profile_id})

    def undo_phone_repair(
        self,
        id: str,
        body: UndoPhoneRepairRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UndoPhoneRepair_reply:
        """Undo a phone repair and restore the earlier identifiers of its events"""
        return self._call("POST", self._path("/api/v1/identity/phone-repairs/{id}/undo", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def create_link_token(
        self,
        body: CreateLinkTokenRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateLinkToken_reply:
        """Create a signed token for a link to a known customer"""
        return self._call("POST", "/api/v1/identity/link-tokens", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def resolve_chat_code(
        self,
        body: ResolveChatCodeRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ResolveChatCode_reply:
        """Report that a customer wrote a chat code"""
        return self._call("POST", "/api/v1/conversations/chat-codes/resolve", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_conversations(
        self,
        *,
        channel: Literal["chatapp", "photoapp", "pagechat"] | None = None,
        customer_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListConversations_reply:
        """List conversations, most recent message first"""
        return self._call("GET", "/api/v1/conversations", query={"channel": channel, "customer_id": customer_id, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def get_conversation(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> GetConversation_reply:
        """Get a conversation with its messages"""
        return self._call("GET", self._path("/api/v1/conversations/{id}", id=id), query={"profile_id": profile_id})

    def list_chat_templates(
        self,
        *,
        name: str | None = None,
        language: str | None = None,
        insights_days: str | None = None,
        profile_id: str | None = None,
    ) -> ListChatTemplates_reply:
        """List the chat-app templates as of the last sync"""
        return self._call("GET", "/api/v1/chatapp/templates", query={"name": name, "language": language, "insights_days": insights_days, "profile_id": profile_id})

    def create_chat_template(
        self,
        body: CreateChatTemplateRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateChatTemplate_reply:
        """Submit a chat-app template for review"""
        return self._call("POST", "/api/v1/chatapp/templates", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def sync_chat_templates(
        self,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SyncChatTemplates_reply:
        """Refresh the chat accounts and their templates"""
        return self._call("POST", "/api/v1/chatapp/templates/sync", query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def list_customers(
        self,
        *,
        search: str | None = None,
        sort: CustomerSort | None = None,
        order: Literal["desc", "asc"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListCustomers_reply:
        """Search customers, or list those with a conversion"""
        return self._call("GET", "/api/v1/customers", query={"search": search, "sort": sort, "order": order, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def get_customer(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> GetCustomer_reply:
        """One customer with the whole journey"""
        return self._call("GET", self._path("/api/v1/customers/{id}", id=id), query={"profile_id": profile_id})

    def list_visitors(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListVisitors_reply:
        """Visitors, most recent first"""
        return self._call("GET", "/api/v1/visitors", query={"cursor": cursor, "limit": limit, "profile_id": profile_id})

    def get_realtime(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetRealtime_reply:
        """Live activity on the site"""
        return self._call("GET", "/api/v1/realtime", query={"profile_id": profile_id})

    def what_if(
        self,
        *,
        date_from: str,
        date_to: str,
        model: ModelParam | None = None,
        changed_model: Literal["last_touch", "first_touch", "linear", "time_decay", "last_non_direct"] | None = None,
        lookback_days: int | None = None,
        first_touch_lookback_days: int | None = None,
        half_life_days: int | None = None,
        channel_rules: str | None = None,
        without_goal_ids: str | None = None,
        profile_id: str | None = None,
    ) -> WhatIf_reply:
        """Preview reports under changed attribution rules"""
        return self._call("GET", "/api/v1/attribution/what-if", query={"date_from": date_from, "date_to": date_to, "model": model, "changed_model": changed_model, "lookback_days": lookback_days, "first_touch_lookback_days": first_touch_lookback_days, "half_life_days": half_life_days, "channel_rules": channel_rules, "without_goal_ids": without_goal_ids, "profile_id": profile_id})

    def list_data_destinations(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListDataDestinations_reply:
        """Destinations of the profile’s data exports"""
        return self._call("GET", "/api/v1/data-exports/destinations", query={"profile_id": profile_id})

    def create_data_destination(
        self,
        body: Union[CreateDataDestination_body_1, CreateDataDestination_body_2],
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateDataDestination_reply:
        """Create a destination that receives all tables as Parquet files"""
        return self._call("POST", "/api/v1/data-exports/destinations", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_data_destination(
        self,
        id: str,
        body: UpdateDataDestinationRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateDataDestination_reply:
        """Change, enable or disable a destination"""
        return self._call("PATCH", self._path("/api/v1/data-exports/destinations/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def delete_data_destination(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a destination"""
        return self._call("DELETE", self._path("/api/v1/data-exports/destinations/{id}", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def test_data_destination(
        self,
        id: str,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> TestDataDestination_reply:
        """Test a destination by writing and removing a small file"""
        return self._call("POST", self._path("/api/v1/data-exports/destinations/{id}/test", id=id), query={"profile_id": profile_id}, takes_key=True, idempotency_key=idempotency_key)

    def start_data_run(
        self,
        body: StartDataRunRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StartDataRun_reply:
        """Start a data export of what changed, or of everything"""
        return self._call("POST", "/api/v1/data-exports/runs", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_data_runs(
        self,
        *,
        destination_id: str | None = None,
        profile_id: str | None = None,
    ) -> ListDataRuns_reply:
        """The last 50 data export runs"""
        return self._call("GET", "/api/v1/data-exports/runs", query={"destination_id": destination_id, "profile_id": profile_id})

    def get_data_run(
        self,
        id: str,
        *,
        profile_id: str | None = None,
    ) -> GetDataRun_reply:
        """One data export run: status, rows, bytes and days written"""
        return self._call("GET", self._path("/api/v1/data-exports/runs/{id}", id=id), query={"profile_id": profile_id})

    def get_data_schema(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetDataSchema_reply:
        """The columns of every exported table"""
        return self._call("GET", "/api/v1/data-exports/schema", query={"profile_id": profile_id})

    def list_export_destinations(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListExportDestinations_reply:
        """Export destinations"""
        return self._call("GET", "/api/v1/exports/destinations", query={"profile_id": profile_id})

    def create_export_destination(
        self,
        body: Union[CreateExportDestination_body_1, CreateExportDestination_body_2, CreateExportDestination_body_3, CreateExportDestination_body_4, CreateExportDestination_body_5],
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateExportDestination_reply:
        """Create an export destination, which sends conversions to an ad platform"""
        return self._call("POST", "/api/v1/exports/destinations", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def update_export_destination(
        self,
        id: str,
        body: UpdateExportDestinationRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdateExportDestination_reply:
        """Change, enable or disable an export destination"""
        return self._call("PATCH", self._path("/api/v1/exports/destinations/{id}", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def preview_export_destination(
        self,
        id: str,
        *,
        conversion_id: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> PreviewExportDestination_reply:
        """Preview the exact payload for the platform"""
        return self._call("GET", self._path("/api/v1/exports/destinations/{id}/preview", id=id), query={"conversion_id": conversion_id, "limit": limit, "profile_id": profile_id})

    def get_conversion_sync_catalog(
        self,
        *,
        profile_id: str | None = None,
    ) -> GetConversionSyncCatalog_reply:
        """Settings of data sharing with the ad platforms"""
        return self._call("GET", "/api/v1/conversion-sync/catalog", query={"profile_id": profile_id})

    def save_conversion_sync_catalog(
        self,
        body: SaveConversionSyncCatalogRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SaveConversionSyncCatalog_reply:
        """Set data sharing with the ad platforms, and the privacy mode"""
        return self._call("PUT", "/api/v1/conversion-sync/catalog", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_export_runs(
        self,
        *,
        destination_id: str | None = None,
        status: Literal["queued", "sent", "failed", "skipped"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListExportRuns_reply:
        """Export runs, newest first"""
        return self._call("GET", "/api/v1/exports/runs", query={"destination_id": destination_id, "status": status, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def get_export_run(
        self,
        run_id: str,
        *,
        profile_id: str | None = None,
    ) -> GetExportRun_reply:
        """Read one export run"""
        return self._call("GET", self._path("/api/v1/exports/runs/{run_id}", run_id=run_id), query={"profile_id": profile_id})

    def list_export_ledger(
        self,
        *,
        destination_id: str | None = None,
        conversion_id: str | None = None,
        run_id: str | None = None,
        status: Literal["queued", "sent", "failed", "skipped"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListExportLedger_reply:
        """Status of each conversion at each destination, newest first"""
        return self._call("GET", "/api/v1/exports/ledger", query={"destination_id": destination_id, "conversion_id": conversion_id, "run_id": run_id, "status": status, "cursor": cursor, "limit": limit, "profile_id": profile_id})

    def list_conversion_data_sources(
        self,
        *,
        profile_id: str | None = None,
    ) -> ListConversionDataSources_reply:
        """Sources whose conversions can be sent"""
        return self._call("GET", "/api/v1/conversion-sync/data-sources", query={"profile_id": profile_id})

    def set_platform_safe_target(
        self,
        body: SetPlatformSafeTargetRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SetPlatformSafeTarget_reply:
        """Send conversions to a clean dataset, or back to the existing one"""
        return self._call("POST", "/api/v1/conversion-sync/platform-safe/target", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def send_customer_list(
        self,
        body: SendCustomerListRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SendCustomerList_reply:
        """Add customers to a customer list at an ad platform, or remove them"""
        return self._call("POST", "/api/v1/partner/audiences/customer-list", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def create_audience(
        self,
        body: CreateAudienceRequest,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> CreateAudience_reply:
        """Create or update a customer list from a filter"""
        return self._call("POST", "/api/v1/audiences", query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def save_audience_exclusions(
        self,
        profile_id: str,
        body: SaveAudienceExclusionsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> SaveAudienceExclusions_reply:
        """Exclude customers from every audience"""
        return self._call("PUT", self._path("/api/v1/profiles/{profileId}/audience-exclusions", profileId=profile_id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def send_test_event(
        self,
        id: str,
        body: SendTestEventRequest | None = None,
        *,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> SendTestEvent_reply:
        """Send a synthetic conversion with the test event code"""
        return self._call("POST", self._path("/api/v1/exports/destinations/{id}/test-event", id=id), query={"profile_id": profile_id}, body=body, takes_key=True, idempotency_key=idempotency_key)

    def get_operator_status(
        self,
    ) -> GetOperatorStatus_reply:
        """Get the state of the service: processes, queues and lag"""
        return self._call("GET", "/api/v1/operator/status")

    def list_problems(
        self,
        kind: ProblemKind,
        *,
        limit: int | None = None,
        profile_id: str | None = None,
    ) -> ListProblems_reply:
        """List dead jobs, quarantined events or stuck deliveries"""
        return self._call("GET", self._path("/api/v1/operator/problems/{kind}", kind=kind), query={"limit": limit, "profile_id": profile_id})

    def get_problem(
        self,
        kind: ProblemKind,
        id: str,
    ) -> GetProblem_reply:
        """Get a problem with its details"""
        return self._call("GET", self._path("/api/v1/operator/problems/{kind}/{id}", kind=kind, id=id))

    def retry_problem(
        self,
        kind: ProblemKind,
        id: str,
        body: RetryProblemRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> RetryProblem_reply:
        """Retry a problem now"""
        return self._call("POST", self._path("/api/v1/operator/problems/{kind}/{id}/retry", kind=kind, id=id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def drop_problem(
        self,
        kind: ProblemKind,
        id: str,
        body: DropProblemRequest,
        *,
        idempotency_key: str | None = None,
    ) -> DropProblem_reply:
        """Drop a problem, with a reason"""
        return self._call("POST", self._path("/api/v1/operator/problems/{kind}/{id}/drop", kind=kind, id=id), body=body, takes_key=True, idempotency_key=idempotency_key)

    def list_operator_actions(
        self,
    ) -> ListOperatorActions_reply:
        """List what operators retried and dropped"""
        return self._call("GET", "/api/v1/operator/log")
