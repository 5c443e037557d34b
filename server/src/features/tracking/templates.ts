/**
 * What to paste at each ad platform so that a click names its campaign, ad set and ad. The macros are the
 * platforms' own; their sources were read on 2026-11-16.
 */
export type TrackingTemplate = {
  /** As clicks of the platform are called. */
  platform: 'social' | 'engine' | 'shortvideo'
  name: string
  /** Where at the platform it is pasted. */
  place: string
  template: string
}

/** The parameters that the tracker reads, in its order. */
const query = (campaign: string, adSet: string, ad: string) =>
  `campaign_id=${campaign}&adset_id=${adSet}&ad_id=${ad}`

export const trackingTemplates: readonly TrackingTemplate[] = [
  {
    // https://www.facebook.com/business/help/2360940870872492
    platform: 'social',
    name: 'Meta',
    place: 'Ads Manager: ad, Tracking, URL parameters',
    template: `utm_source=meta&utm_medium=paid_social&${query('{{campaign.id}}', '{{adset.id}}', '{{ad.id}}')}`,
  },
  {
    // https://support.google.com/google-ads/answer/6305348
    platform: 'engine',
    name: 'Google Ads',
    place: 'Account settings, Tracking, Final URL suffix',
    template: `utm_source=google&utm_medium=cpc&${query('{campaignid}', '{adgroupid}', '{creative}')}`,
  },
  {
    // https://ads.tiktok.com/help/article/track-offsite-web-events-with-utm-parameters
    platform: 'shortvideo',
    name: 'TikTok',
    place: 'Ads Manager: ad, Tracking, URL parameters',
    template: `utm_source=tiktok&utm_medium=paid_social&${query('__CAMPAIGN_ID__', '__AID__', '__CID__')}`,
  },
]
