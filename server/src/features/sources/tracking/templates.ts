/**
 * URL templates to paste at each ad platform, so that a click carries its campaign, ad set and ad. The macros are
 * those of the platforms.
 */
export type TrackingTemplate = {
  /** Platform name of the clicks. */
  platform: 'social' | 'engine' | 'shortvideo' | 'linkedin' | 'microsoft'
  name: string
  /** The setting at the platform to paste it into. */
  place: string
  template: string
  /**
   * The platform's documentation pages; null if none was found. `readOn` is the day on which a copy of them was
   * read; the copy may have been older.
   */
  source: { macros: string | null; place: string | null; readOn: string }
}

/** The parameters that the tracker reads, in its order. */
const query = (campaign: string, adSet: string, ad: string) =>
  `campaign_id=${campaign}&adset_id=${adSet}&ad_id=${ad}`

export const trackingTemplates: readonly TrackingTemplate[] = [
  {
    platform: 'social',
    name: 'Meta',
    place: 'Ads Manager: ad, Tracking, URL parameters',
    template: `utm_source=meta&utm_medium=paid_social&${query('{{campaign.id}}', '{{adset.id}}', '{{ad.id}}')}`,
    source: {
      macros: 'https://developers.facebook.com/docs/instagram/ads-api/guides/url-tags-for-tracking',
      place:
        'https://developers.facebook.com/documentation/ads-commerce/marketing-api/advantage-shopping-campaigns/audience-type-url-parameters',
      readOn: '2026-11-16',
    },
  },
  {
    platform: 'engine',
    name: 'Google Ads',
    place: 'Account settings, Tracking, Final URL suffix',
    template: `utm_source=google&utm_medium=cpc&${query('{campaignid}', '{adgroupid}', '{creative}')}`,
    source: {
      macros: 'https://developers.google.com/google-ads/api/docs/reporting/valuetrack-mapping',
      // Search Ads 360 documents this way (https://support.google.com/sa360/answer/9246757); for Google Ads none was found.
      place: null,
      readOn: '2026-11-16',
    },
  },
  {
    platform: 'shortvideo',
    name: 'TikTok',
    place: 'Ads Manager: ad, Ad details, at the end of the destination URL after a ?',
    template: `utm_source=tiktok&utm_medium=paid_social&${query('__CAMPAIGN_ID__', '__AID__', '__CID__')}`,
    source: {
      macros: 'https://ads.tiktok.com/help/article/track-offsite-web-events-with-utm-parameters',
      place:
        'https://ads.tiktok.com/help/article/how-to-add-url-parameters-to-your-website-url-in-tiktok-ads-manager',
      readOn: '2026-11-16',
    },
  },
  {
    platform: 'linkedin',
    name: 'LinkedIn Ads',
    place:
      'Campaign Manager: URL tracking parameters of the account or of each ad set; the words in capitals are dynamic values',
    // Campaign Manager's campaign and ad set are called campaign group and campaign in these macros.
    template: `utm_source=linkedin&utm_medium=paid_social&${query('CAMPAIGN_GROUP_ID', 'CAMPAIGN_ID', 'CREATIVE_ID')}`,
    source: {
      macros:
        'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/dynamic-utm-tracking',
      // The page names campaigns, and accounts from version 202608; Campaign Manager's own wording could not be checked.
      place: null,
      readOn: '2026-11-17',
    },
  },
  {
    platform: 'microsoft',
    name: 'Microsoft Ads',
    place: 'Settings, Account settings, URL options, Final URL suffix',
    template: `utm_source=bing&utm_medium=cpc&${query('{CampaignId}', '{AdGroupId}', '{AdId}')}`,
    source: {
      macros:
        'https://github.com/MicrosoftDocs/Advertising/blob/main/advertising/msa-help/hlp_BA_CONC_UpgradeURL_URLParameters.md',
      place: null,
      readOn: '2026-11-17',
    },
  },
]
