/**
 * The products of LinkedIn's Marketing API are approved one by one, and a consent that requests a scope of another
 * product is refused as a whole. Only scopes of the products in `extra.products` are requested.
 * Products and scopes: learn.microsoft.com/en-us/linkedin/marketing/increasing-access, read 2026-11-19.
 */
import type { Ability, ProviderApp, Session, SetAside } from '../connector.ts'
import { missingAbility } from '../set-aside.ts'

export const leadScope = 'r_marketing_leadgen_automation'
export const conversionScope = 'rw_conversions'
/** Gives access to the posts behind creatives. */
const postScope = 'r_organization_social'

/** `rw_ads` is for status and budget changes. */
const advertisingScopes = ['r_ads', 'rw_ads', 'r_ads_reporting']

type Product = { name: string; title: string; scopes: string[]; ability: Ability; lost: string }

const products: readonly Product[] = [
  {
    name: 'lead_sync',
    title: 'Lead Sync API',
    scopes: [leadScope, 'r_organization_admin'],
    ability: 'leads',
    lost: 'Leads of instant forms are not read',
  },
  {
    name: 'conversions',
    title: 'Conversions API',
    scopes: [conversionScope],
    ability: 'conversions',
    lost: 'Conversions cannot be sent',
  },
  {
    name: 'community_management',
    title: 'Community Management API',
    scopes: [postScope],
    ability: 'ad_texts',
    lost: 'Texts and images of ads are not read',
  },
]

function productsOf(app: ProviderApp): Product[] {
  const names = new Set((app.extra.products ?? '').split(/[\s,]+/).filter(Boolean))
  // The setting of releases that had no list of products.
  if (app.extra.posts === 'on') names.add('community_management')
  return products.filter(({ name }) => names.has(name))
}

export const scopesOf = (app: ProviderApp): string[] => [
  ...advertisingScopes,
  ...productsOf(app).flatMap(({ scopes }) => scopes),
]

/** Nothing is known of a token whose response had no scopes. */
export function missingAbilities({ app, token }: Pick<Session, 'app' | 'token'>): SetAside[] {
  if (token.scopes.length === 0) return []
  const configured = new Set(productsOf(app))
  return products
    .filter(({ scopes }) => !token.scopes.includes(scopes[0]!))
    .map((product) =>
      missingAbility(
        product.ability,
        configured.has(product)
          ? `${product.lost}: the consent does not cover LinkedIn’s ${product.title}. Connect again to grant it.`
          : `${product.lost}: this deployment’s LinkedIn app does not request the ${product.title}. If LinkedIn approved it, the operator adds ${product.name} to extra.products and the account is connected again.`,
      ),
    )
}
