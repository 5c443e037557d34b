/** Providers whose consent begins at the account's own address: what people paste, in its one spelling. Pure. */
import type { Provider } from './connector.ts'
import { normaliseShop } from './storefront/shop.ts'
import { normaliseShopAddress } from './woocommerce/shop.ts'

type ShopForm = { normalise: (input: string) => string | null; hint: string }

export const shopForms: Partial<Record<Provider, ShopForm>> = {
  storefront: {
    normalise: normaliseShop,
    hint: 'give the store’s own domain, its handle, or the address of its admin; a custom domain cannot be connected',
  },
  woocommerce: {
    normalise: normaliseShopAddress,
    hint: 'give the address of the shop, such as shop.example or example.com/store',
  },
}
