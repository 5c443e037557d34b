/** Line icons of one weight. They are decorative: the text next to them has the meaning. */
const shapes = {
  pin: 'M7 3h6l-.8 5 2.8 3H5l2.8-3zM10 11v6',
  overview: 'M3 12.5 7.2 8l3.3 3.2L17 4.5M3 17h14',
  campaigns:
    'M3 8.2v3.6a1 1 0 0 0 1 1h2l6.5 3.4V3.8L6 7.2H4a1 1 0 0 0-1 1ZM15.5 7.5a3.5 3.5 0 0 1 0 5M6.5 13v3.5',
  bell: 'M10 3a4.5 4.5 0 0 0-4.5 4.5c0 4-1.5 5.5-1.5 5.5h12s-1.5-1.5-1.5-5.5A4.5 4.5 0 0 0 10 3M8.5 16.5a1.8 1.8 0 0 0 3 0',
  cohorts: 'M3 4h14M3 8h11M3 12h7M3 16h4',
  channels: 'M10 3v5M10 8 4 12.5V17M10 8v9M10 8l6 4.5V17',
  journeys: 'M3 5h3c6 0 3 10 8 10h3M3 15h3c2.2 0 3-1.3 3.6-3M14.5 12.5 17 15l-2.5 2.5',
  unattributed: 'M3 5h14M3 10h7M13 10v.1M16.5 10v.1M3 15h3M9.5 15v.1M13 15v.1M16.5 15v.1',
  declared: 'M3.5 4h13v9H10l-4 3.5V13H3.5zM7 7.5h6M7 10h4',
  help: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM7.8 7.8a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M10 14v.1',
  customer: 'M10 10a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 10 10ZM3.5 17a6.5 6.5 0 0 1 13 0',
  visitors:
    'M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10ZM10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  message: 'M3 4h14v10H9l-4 3v-3H3zM6.5 8h7M6.5 11h4',
  identity: 'M4 4v3.5l6 4.5v4.5M16 4v3.5l-6 4.5M7.5 14l2.5 2.5 2.5-2.5',
  live: 'M10 11.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4ZM6.5 13.5a5 5 0 0 1 0-7M13.5 6.5a5 5 0 0 1 0 7M4 16a8.5 8.5 0 0 1 0-12M16 4a8.5 8.5 0 0 1 0 12',
  compare: 'M6.5 3v14M13.5 3v14M3 6h3.5M3 10h3.5M13.5 10H17M13.5 14H17',
  people:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5a5.5 5.5 0 0 1 11 0M13 3.8a3 3 0 0 1 0 5.4M14.8 11.6a5.5 5.5 0 0 1 3.2 4.9',
  payments: 'M2.5 5.5h15v9h-15zM2.5 8.5h15M5.5 12h3',
  connections: 'M8.5 11.5 11.5 8.5M9 6l2-2a3.5 3.5 0 0 1 5 5l-2 2M11 14l-2 2a3.5 3.5 0 0 1-5-5l2-2',
  tracking:
    'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 1v2M10 17v2M1 10h2M17 10h2',
  webhooks:
    'M10 3v6l4.5 7.5M10 9l-4.5 7.5M10 4.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM4.5 18a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM15.5 18a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  send: 'M17 3 9 11M17 3l-5 14-3-6-6-3Z',
  developers: 'm6.5 6-4 4 4 4M13.5 6l4 4-4 4M11.2 4l-2.4 12',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  goal: 'M5 17V3M5 3.5h9.5l-2 3.5 2 3.5H5',
  upload: 'M10 13V3.5M6 7l4-4 4 4M3.5 16.5h13',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4',
  creatives: 'M3 4h14v12H3zM3 13l4-4 4 4 2.5-2.5L17 14M13.5 7.4v.1',
  patterns: 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM14 11v6M11 14h6',
  experiments: 'M8 3v5L3.5 16a1 1 0 0 0 .9 1.5h11.2a1 1 0 0 0 .9-1.5L12 8V3M6.5 3h7M6 12.5h8',
  pacing: 'M3 14a7 7 0 1 1 14 0M10 14l3.5-4.5M10 14v.1',
  recommendations: 'M7 14.5h6M7.5 17h5M10 2.5a5 5 0 0 0-3 9c.6.5 1 1.2 1 2h4c0-.8.4-1.5 1-2a5 5 0 0 0-3-9Z',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'm5 5 10 10M15 5 5 15',
  updown: 'm6.5 7.5 3.5-3.5 3.5 3.5M6.5 12.5 10 16l3.5-3.5',
  down: 'm5.5 8 4.5 4.5L14.5 8',
  left: 'm12 5-5 5 5 5',
  right: 'm8 5 5 5-5 5',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  plus: 'M10 4v12M4 10h12',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  download: 'M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13',
  alert: 'M10 3 2.5 16.5h15zM10 8.5v3.5M10 14.2v.1',
  info: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9v4.5M10 6.4v.1',
  calendar: 'M3 5h14v12H3zM3 8.5h14M6.5 3v3M13.5 3v3',
  refresh: 'M16.5 8A7 7 0 0 0 4 6.5L3 8M3 4v4h4M3.5 12A7 7 0 0 0 16 13.5l1-1.5M17 16v-4h-4',
  share: 'M10 12V3M6.5 6 10 2.5 13.5 6M5 9H4v8h12V9h-1',
  external: 'M8 4H4v12h12v-4M11 3h6v6M17 3l-8 8',
  key: 'M7 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10.5 10H18v3M15 10v2.5',
  more: 'M4.5 10v.1M10 10v.1M15.5 10v.1',
  out: 'M8 3.5H4v13h4M12.5 6.5 16 10l-3.5 3.5M16 10H8',
} as const

export type IconName = keyof typeof shapes
export const iconNames = Object.keys(shapes) as IconName[]

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.4 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
