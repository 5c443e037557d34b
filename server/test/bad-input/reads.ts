/** Bad requests to the reporting, payments and tracking routes. */
import {
  at,
  type BadRequest,
  badCursors,
  badLevel,
  badLimits,
  badModel,
  badQueries,
  badRanges,
  may,
  notUuid,
  type Refusal,
  unknown,
} from './cases.ts'

const oneId = { entity_ids: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111' }
const badIds: Record<string, string>[] = [
  {},
  { entity_ids: '' },
  { entity_ids: 'C1' },
  { entity_ids: `${oneId.entity_ids},` },
  { entity_ids: Array.from({ length: 11 }, () => oneId.entity_ids).join(',') },
]

const times = { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00Z' }
const rangeInvalid: Refusal = [422, 'range_invalid']
const noTimes: Record<string, string>[] = [
  {},
  { from: times.from },
  { to: times.to },
  { from: '', to: '' },
  { from: 'yesterday', to: 'today' },
  { from: '2026-02-30T00:00:00Z', to: 'x' },
  { from: '2026-05-01T00:00:00', to: times.to },
  { from: times.to, to: times.from },
]
const badTimes = noTimes.map(
  (query): BadRequest => ({ wrong: JSON.stringify(query), query, refusal: rangeInvalid }),
)

export const badReads: Record<string, BadRequest[]> = {
  listCampaigns: [
    ...badRanges(),
    ...badQueries(may, badModel, badLevel, ...badLimits(100), { parent_id: 'C1' }),
  ],
  campaignTrend: [
    ...badRanges(oneId),
    ...badQueries(may, ...badIds),
    ...badQueries({ ...may, ...oneId }, badModel, badLevel),
  ],
  adTrend: [
    ...badRanges(oneId),
    ...badQueries(may, ...badIds),
    ...badQueries({ ...may, ...oneId }, badModel),
  ],
  getUnattributed: [...badRanges(), ...badQueries(may, badModel, badLevel)],
  listCampaignConversions: [
    ...at({ id: 'C1' }, [...badRanges(), ...badQueries(may, badModel, ...badLimits(200), ...badCursors)]),
    unknown('id', 'campaign_not_found', { query: may }),
    {
      wrong: 'an unknown platform id',
      params: { id: 'C9' },
      query: may,
      refusal: [404, 'campaign_not_found'],
    },
    {
      wrong: 'an endless id',
      params: { id: 'x'.repeat(201) },
      query: may,
      refusal: [400, 'invalid_parameter'],
    },
  ],
  getAd: [
    ...at({ id: 'A1' }, [...badRanges(), ...badQueries(may, badModel)]),
    unknown('id', 'not_found', { query: may }),
    { wrong: 'a campaign’s id', params: { id: 'C1' }, query: may, refusal: [404, 'not_found'] },
  ],
  getCampaign: [
    ...at({ id: 'C1' }, [...badRanges(), ...badQueries(may, badModel)]),
    unknown('id', 'campaign_not_found', { query: may }),
  ],
  comparePlatforms: [...badRanges(), ...badQueries(may, badModel, badLevel)],
  explainPlatformGap: [
    ...badRanges({ platform: 'social' }),
    ...badQueries({ ...may, platform: 'social' }, badModel, badLevel, { entity_id: 'C1' }),
    ...badQueries(may, {}, { platform: '' }, { entity_id: 'C1' }),
  ],
  getAdIdQuality: [...badRanges(), ...badQueries(may, badModel)],
  getOverview: [...badRanges(), ...badQueries(may, badModel)],
  getBrief: [...badRanges(), ...badQueries(may, badModel, { language: 'fr' })],
  getChannels: [...badRanges(), ...badQueries(may, badModel)],
  whatIf: [...badRanges(), ...badQueries(may, badModel, { lookback_days: '0' }, { channel_rules: 'x' })],
  getDataDriven: badQueries(
    {},
    { as_of: 'yesterday' },
    { as_of: '2026-05-01' },
    { as_of: '2999-01-01T00:00:00Z' },
  ),
  getJourneys: [...badRanges(), ...badQueries(may, ...badLimits(100))],
  listJourneyPayments: [
    ...badRanges({ path: 'direct' }),
    ...badQueries(may, {}, { path: '' }, { path: 'paid social' }, { path: 'a,b,c,d,e,f,g,h' }),
    ...badQueries({ ...may, path: 'direct' }, ...badLimits(200), ...badCursors),
  ],
  getChanges: [
    ...badRanges(),
    ...badQueries(
      may,
      badModel,
      { since: 'yesterday' },
      { limit: '0' },
      { until: '2026-06-10T00:00:00Z', as_of: '2026-06-10T00:00:00Z' },
    ),
  ],
  getDeclaredReport: [...badRanges(), ...badQueries(may, badModel)],
  testChannelRules: badQueries(
    {},
    {},
    { url: '' },
    { url: 'shop.example' },
    { url: 'javascript:alert(1)' },
    { url: 'https://shop.example/', referrer: 'nowhere' },
  ),
  listAnnotations: badRanges(),
  listSavedViews: badQueries({}, { page: 'overview' }),
  getCohorts: [
    ...badRanges(),
    ...badQueries(may, badModel, { by: 'week' }, { horizon: '0' }, { horizon: '25' }, { horizon: 'ever' }),
  ],
  listUnattributedReasons: [...badRanges(), ...badQueries(may, badModel)],
  listUnattributedConversions: [
    ...badRanges({ reason: 'direct' }),
    ...badQueries(may, {}, { reason: 'weather' }),
    ...badQueries({ ...may, reason: 'direct' }, badModel, ...badLimits(200), ...badCursors),
  ],
  listAdPeople: [
    ...badRanges(),
    ...badQueries(
      may,
      { group_by: 'week' },
      { channel: 'paid_social' },
      { channel: 'all' },
      { first_only: 'yes' },
      ...badLimits(1000).map((limit) => ({ group_by: 'ad', ...limit })),
    ),
  ],
  getCampaignStatus: [
    unknown('id', 'campaign_not_found'),
    { wrong: 'an unknown platform id', params: { id: 'C9' }, refusal: [404, 'campaign_not_found'] },
  ],
  explainConversion: [
    unknown('id', 'conversion_not_found'),
    { wrong: 'an unknown key', params: { id: 'no such key' }, refusal: [404, 'conversion_not_found'] },
    { wrong: 'an endless key', params: { id: 'x'.repeat(256) }, refusal: [400, 'invalid_parameter'] },
    ...at({ id: 'paid' }, badQueries({}, badModel, { model: '' })),
  ],
  lookUpEvents: [
    { wrong: 'no question', query: {}, refusal: [400, 'invalid_parameter'] },
    { wrong: 'event_id', query: { event_id: 'x' }, refusal: [400, 'invalid_parameter'] },
    {
      wrong: 'two questions',
      query: { order_id: '1', request_id: '1' },
      refusal: [400, 'invalid_parameter'],
    },
  ],
  listPayments: [
    ...badTimes,
    ...['open', '', 'ALL'].map(
      (status): BadRequest => ({
        wrong: `status ${status}`,
        query: { ...times, status },
        refusal: [422, 'status_invalid'],
      }),
    ),
    ...badQueries(times, ...badLimits(200), ...badCursors),
  ],
  listPaymentLinkage: [...badTimes, ...badQueries(times, badModel, ...badLimits(200), ...badCursors)],
  listTrackedEvents: badQueries({}, ...badLimits(200), ...badCursors, { event_name: 'x'.repeat(101) }),
  getTrackingConsent: badRanges().filter(
    ({ query }) => query?.date_from !== undefined && query.date_to !== undefined,
  ),
  getTrackingSnippet: badQueries({}, { social_pixel_id: 'abc' }, { social_pixel_id: '<script>' }),
  revokeTrackingKey: [notUuid('id'), unknown('id', 'not_found')],
  deleteTrackingDomain: [notUuid('id'), unknown('id', 'not_found')],
  verifyTrackingDomain: [notUuid('id'), unknown('id', 'not_found')],
  deleteGoal: [notUuid('id'), unknown('id', 'not_found')],
}
