/**
 * The GraphQL documents that the storefront connector sends; a test validates each against the platform's
 * whole schema (`server/test/replay/shopify.test.ts`).
 */
const money = 'shopMoney { amount currencyCode }'

const visit = 'id occurredAt landingPage referrerUrl utmParameters { source medium campaign content term }'

const orderFields = `
  legacyResourceId name createdAt processedAt updatedAt cancelledAt test displayFinancialStatus email phone
  billingAddress { countryCodeV2 }
  totalPriceSet { ${money} }
  totalReceivedSet { ${money} }
  customAttributes { key value }
  customer {
    legacyResourceId firstName lastName
    defaultEmailAddress { emailAddress }
    defaultPhoneNumber { phoneNumber }
  }
  customerJourneySummary {
    firstVisit { ${visit} }
    lastVisit { ${visit} }
    moments(first: 10) { nodes { ... on CustomerVisit { ${visit} } } }
  }
  refunds(first: 100) { legacyResourceId createdAt totalRefundedSet { ${money} } }`

export const shopQuery = `query Shop { shop { name myshopifyDomain currencyCode ianaTimezone } }`

export const ordersQuery = `query Orders($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, sortKey: UPDATED_AT, query: $query) {
    nodes { ${orderFields} }
    pageInfo { hasNextPage endCursor }
  }
}`

export const orderQuery = `query Order($id: ID!) { order(id: $id) { ${orderFields} } }`

export const webPixelQuery = `query CurrentWebPixel { webPixel { id settings } }`

const pixelReply = '{ webPixel { id settings } userErrors { code field message } }'

export const webPixelCreate = `mutation WebPixelCreate($webPixel: WebPixelInput!) {
  webPixelCreate(webPixel: $webPixel) ${pixelReply}
}`

export const webPixelUpdate = `mutation WebPixelUpdate($id: ID!, $webPixel: WebPixelInput!) {
  webPixelUpdate(id: $id, webPixel: $webPixel) ${pixelReply}
}`

export const appSubscriptionCreate = `mutation AppSubscriptionCreate(
  $name: String!, $returnUrl: URL!, $lineItems: [AppSubscriptionLineItemInput!]!
) {
  appSubscriptionCreate(name: $name, returnUrl: $returnUrl, lineItems: $lineItems) {
    appSubscription { id }
    confirmationUrl
    userErrors { field message }
  }
}`

export const appSubscriptionQuery = `query AppSubscription($id: ID!) {
  node(id: $id) { ... on AppSubscription { id name status createdAt currentPeriodEnd } }
}`
