/**
 * A superset of the part of Shopify's GraphQL Admin schema that the connector queries, written
 * from the reference of 2026-07 (https://shopify.dev/docs/api/admin-graphql/2026-07, read on 2026-11-16). A test
 * compares every line with the published schema (`server/test/replay/shopify.test.ts`).
 */
import { buildSchema } from 'graphql'

const page = 'first: Int, after: String, last: Int, before: String, reverse: Boolean = false'

export const adminSchema = buildSchema(`
schema { query: QueryRoot mutation: Mutation }
scalar DateTime
scalar Decimal
scalar JSON
scalar UnsignedInt64
scalar URL

type QueryRoot {
  shop: Shop!
  order(id: ID!): Order
  orders(${page}, sortKey: OrderSortKeys = PROCESSED_AT, query: String, savedSearchId: ID): OrderConnection!
  webPixel(id: ID): WebPixel
  node(id: ID!): Node
}
type Mutation {
  appSubscriptionCreate(
    name: String!, returnUrl: URL!, lineItems: [AppSubscriptionLineItemInput!]!, test: Boolean, trialDays: Int
  ): AppSubscriptionCreatePayload
  webPixelCreate(webPixel: WebPixelInput!): WebPixelCreatePayload
  webPixelUpdate(id: ID!, webPixel: WebPixelInput!): WebPixelUpdatePayload
}
type Shop {
  id: ID!
  name: String!
  email: String!
  myshopifyDomain: String!
  currencyCode: CurrencyCode!
  ianaTimezone: String!
}
enum CountryCode { AR AU BR CA CH CL CO DE ES FR GB IN IT JP MX NZ PE SE US UY }
enum CurrencyCode { ARS AUD BRL CAD CHF CLP COP EUR GBP INR JPY MXN NZD PEN SEK USD UYU }
enum OrderSortKeys {
  CREATED_AT CURRENT_TOTAL_PRICE CUSTOMER_NAME DESTINATION FINANCIAL_STATUS FULFILLMENT_STATUS ID ORDER_NUMBER
  PO_NUMBER PROCESSED_AT RELEVANCE TOTAL_ITEMS_QUANTITY TOTAL_PRICE UPDATED_AT
}
enum OrderDisplayFinancialStatus {
  AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED
}
type OrderConnection { edges: [OrderEdge!]! nodes: [Order!]! pageInfo: PageInfo! }
type OrderEdge { cursor: String! node: Order! }
type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
type Order {
  id: ID!
  legacyResourceId: UnsignedInt64!
  name: String!
  createdAt: DateTime!
  processedAt: DateTime!
  updatedAt: DateTime!
  cancelledAt: DateTime
  test: Boolean!
  currencyCode: CurrencyCode!
  displayFinancialStatus: OrderDisplayFinancialStatus
  email: String
  phone: String
  billingAddress: MailingAddress
  totalPriceSet: MoneyBag!
  totalReceivedSet: MoneyBag!
  customAttributes: [Attribute!]!
  customer: Customer
  customerJourneySummary: CustomerJourneySummary
  refunds(first: Int): [Refund!]!
}
type MailingAddress { countryCodeV2: CountryCode }
type Attribute { key: String! value: String }
type MoneyBag { shopMoney: MoneyV2! presentmentMoney: MoneyV2! }
type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type Refund {
  id: ID!
  legacyResourceId: UnsignedInt64!
  createdAt: DateTime
  updatedAt: DateTime!
  totalRefundedSet: MoneyBag!
}
type Customer {
  id: ID!
  legacyResourceId: UnsignedInt64!
  firstName: String
  lastName: String
  defaultEmailAddress: CustomerEmailAddress
  defaultPhoneNumber: CustomerPhoneNumber
}
type CustomerEmailAddress { emailAddress: String! }
type CustomerPhoneNumber { phoneNumber: String! }
type CustomerJourneySummary {
  customerOrderIndex: Int
  daysToConversion: Int
  firstVisit: CustomerVisit
  lastVisit: CustomerVisit
  moments(${page}): CustomerMomentConnection
  ready: Boolean!
}
interface CustomerMoment { occurredAt: DateTime! }
type CustomerMomentConnection { edges: [CustomerMomentEdge!]! nodes: [CustomerMoment!]! pageInfo: PageInfo! }
type CustomerMomentEdge { cursor: String! node: CustomerMoment! }
type CustomerVisit implements CustomerMoment {
  id: ID!
  occurredAt: DateTime!
  landingPage: URL
  referrerUrl: URL
  referralCode: String
  source: String!
  utmParameters: UTMParameters
}
type UTMParameters { campaign: String content: String medium: String source: String term: String }
interface Node { id: ID! }
type AppSubscription implements Node {
  id: ID!
  name: String!
  status: AppSubscriptionStatus!
  createdAt: DateTime!
  currentPeriodEnd: DateTime
  test: Boolean!
}
enum AppSubscriptionStatus { ACCEPTED ACTIVE CANCELLED DECLINED EXPIRED FROZEN PENDING }
enum AppPricingInterval { ANNUAL EVERY_30_DAYS }
input MoneyInput { amount: Decimal! currencyCode: CurrencyCode! }
input AppRecurringPricingInput { price: MoneyInput! interval: AppPricingInterval = EVERY_30_DAYS }
input AppPlanInput { appRecurringPricingDetails: AppRecurringPricingInput }
input AppSubscriptionLineItemInput { plan: AppPlanInput! }
type AppSubscriptionCreatePayload {
  appSubscription: AppSubscription
  confirmationUrl: URL
  userErrors: [UserError!]!
}
type UserError { field: [String!] message: String! }
type WebPixel { id: ID! settings: JSON! }
input WebPixelInput { settings: JSON! }
type WebPixelCreatePayload { userErrors: [ErrorsWebPixelUserError!]! webPixel: WebPixel }
type WebPixelUpdatePayload { userErrors: [ErrorsWebPixelUserError!]! webPixel: WebPixel }
type ErrorsWebPixelUserError { code: ErrorsWebPixelUserErrorCode field: [String!] message: String! }
enum ErrorsWebPixelUserErrorCode {
  BLANK INVALID_CONFIGURATION_JSON INVALID_RUNTIME_CONTEXT INVALID_SETTINGS INVALID_SETTINGS_DEFINITION NOT_FOUND
  NO_EXTENSION TAKEN UNABLE_TO_DELETE UNEXPECTED_ERROR
}
`)
