import type { UnattributedReason } from '@whence/sdk'
import type { NavPage } from '../../shell/navigation.ts'

type Cure = { text: string; action: string; to: NavPage['to']; tab?: string }

/** What each reason means, and the one place where something can be done about it. */
export const reasons: Record<UnattributedReason, { name: string; meaning: string; cure: Cure }> = {
  direct: {
    name: 'Direct visit',
    meaning: 'The address was typed or bookmarked, or the link had lost its tags.',
    cure: {
      text: 'Tag the links in apps, chats and PDFs.',
      action: 'Ad links',
      to: '/p/$profileId/tracking',
    },
  },
  organic: {
    name: 'Organic search and social',
    meaning: 'The visit came from an unpaid search result or post.',
    cure: { text: 'Nothing is wrong here.', action: 'See the sites', to: '/p/$profileId/channels' },
  },
  email: {
    name: 'Email',
    meaning: 'The visit came from a newsletter or a mail.',
    cure: { text: 'Nothing is wrong here.', action: 'See the mailings', to: '/p/$profileId/channels' },
  },
  referral: {
    name: 'Referral',
    meaning: 'The visit came from another site.',
    cure: {
      text: 'Is one of them your own checkout? List it as your own domain.',
      action: 'Own domains',
      to: '/p/$profileId/tracking',
      tab: 'settings',
    },
  },
  other_visit: {
    name: 'Other tagged visits',
    meaning: 'Messages, affiliates and links with tags of your own.',
    cure: { text: 'Nothing is wrong here.', action: 'See the sources', to: '/p/$profileId/channels' },
  },
  click_without_ad: {
    name: 'Paid click without an ad',
    meaning: 'The click was paid for, and the link did not say which ad it was.',
    cure: {
      text: 'Paste the tracking template at the ad platform.',
      action: 'Ad links',
      to: '/p/$profileId/tracking',
    },
  },
  ad_without_campaign: {
    name: 'Ad of an unknown campaign',
    meaning: 'The link named an ad that no connected account knows.',
    cure: {
      text: 'Connect the account that the ad runs in.',
      action: 'Connections',
      to: '/p/$profileId/connections',
    },
  },
  unknown_payer: {
    name: 'Unknown payer',
    meaning: 'The payment has no email, phone, customer or visitor.',
    cure: {
      text: 'Say who paid, or send the buyer’s email with the payment.',
      action: 'Assign payers',
      to: '/p/$profileId/payments',
      tab: 'unidentified',
    },
  },
  not_creditable: {
    name: 'Goal that is not credited',
    meaning: 'The goal counts as revenue and is excluded from attribution.',
    cure: { text: 'Change the goal if ads should earn it.', action: 'Goals', to: '/p/$profileId/goals' },
  },
  no_touch: {
    name: 'No visit known',
    meaning: 'The buyer is known, and no visit of theirs was seen within the lookback.',
    cure: {
      text: 'Put the tracker on every page, and pass the visitor’s id into checkout.',
      action: 'Tracking',
      to: '/p/$profileId/tracking',
    },
  },
}
