/** The GraphQL documents the storefront connector sends; their names are how a sandbox tells them apart. */
const money = 'shopMoney { amount currencyCode }'

const orderFields = `
  legacyResourceId createdAt processedAt updatedAt cancelledAt test displayFinancialStatus email phone
  totalPriceSet { ${money} }
  totalReceivedSet { ${money} }
  customAttributes { key value }
  customer {
    legacyResourceId firstName lastName
    defaultEmailAddress { emailAddress }
    defaultPhoneNumber { phoneNumber }
  }
  customerJourneySummary { firstVisit { landingPage occurredAt } lastVisit { landingPage occurredAt } }
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
