import type { UnattributedReason } from '@whence/sdk'
import type { NavPage } from '../../shell/navigation.ts'

type Advice = { text: string; action: string; to: NavPage['to']; tab?: string }

/** What each reason means, and what the user can do about it. */
export const reasons: Record<UnattributedReason, { name: string; meaning: string; advice: Advice }> = {
  direct: {
    name: 'Direct visit',
    meaning: 'The address was typed or bookmarked, or the link’s tags were lost.',
    advice: {
      text: 'Tag the links in apps, chats and PDFs.',
      action: 'Ad links',
      to: '/p/$profileId/tracking',
    },
  },
  organic: {
    name: 'Organic search and social',
    meaning: 'The visit came from an unpaid search result or post.',
    advice: { text: 'Nothing to fix.', action: 'See the sites', to: '/p/$profileId/channels' },
  },
  email: {
    name: 'Email',
    meaning: 'The visit came from a newsletter or an email.',
    advice: { text: 'Nothing to fix.', action: 'See the mailings', to: '/p/$profileId/channels' },
  },
  referral: {
    name: 'Referral',
    meaning: 'The visit came from another site.',
    advice: {
      text: 'Is one of them your own checkout? Add it to your own domains.',
      action: 'Own domains',
      to: '/p/$profileId/tracking',
      tab: 'settings',
    },
  },
  other_visit: {
    name: 'Other tagged visits',
    meaning: 'Messages, affiliates and links with your own tags.',
    advice: { text: 'Nothing to fix.', action: 'See the sources', to: '/p/$profileId/channels' },
  },
  click_without_ad: {
    name: 'Paid click without an ad',
    meaning: 'The click was paid, but the link had no ad id.',
    advice: {
      text: 'Paste the tracking template at the ad platform.',
      action: 'Ad links',
      to: '/p/$profileId/tracking',
    },
  },
  ad_without_campaign: {
    name: 'Ad of an unknown campaign',
    meaning: 'The link had the id of an ad that no connected account contains.',
    advice: {
      text: 'Connect the account in which the ad runs.',
      action: 'Connections',
      to: '/p/$profileId/connections',
    },
  },
  unknown_payer: {
    name: 'Unknown payer',
    meaning: 'The payment has no email, phone, customer or visitor.',
    advice: {
      text: 'Assign the payer, or send the buyer’s email with the payment.',
      action: 'Assign payers',
      to: '/p/$profileId/payments',
      tab: 'unidentified',
    },
  },
  not_creditable: {
    name: 'Goal that is not credited',
    meaning: 'The goal counts as revenue but is excluded from attribution.',
    advice: {
      text: 'Change the goal if ads should get credit for it.',
      action: 'Goals',
      to: '/p/$profileId/goals',
    },
  },
  no_touch: {
    name: 'No known visit',
    meaning: 'The buyer is known, but has no visit within the lookback.',
    advice: {
      text: 'Add the tracker to every page, and pass the visitor’s id to the checkout.',
      action: 'Tracking',
      to: '/p/$profileId/tracking',
    },
  },
}
