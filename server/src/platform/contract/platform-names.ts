/** What people call the platforms behind the neutral identifiers of the API. */
export const platformNames: Readonly<Record<string, string>> = {
  social_ads: 'Meta',
  social: 'Meta',
  engine_ads: 'Google Ads',
  engine: 'Google Ads',
  engine_search_console: 'Google Search Console',
  shortvideo: 'TikTok',
  crmsuite: 'HighLevel',
  cardpay: 'Stripe',
  regionalpay: 'Mercado Pago',
  storefront: 'Shopify',
  woocommerce: 'WooCommerce',
  hubspot: 'HubSpot',
  banklink: 'Plaid',
  chatapp: 'WhatsApp',
  photoapp: 'Instagram',
  pagechat: 'Messenger',
}
