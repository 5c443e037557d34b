/** Providers whose consent starts at the shop's own address: normalises what people paste. Pure. */
import type { Provider } from './connector.ts'
import { normaliseShop } from './storefront/shop.ts'
import { normaliseShopAddress } from './woocommerce/shop.ts'

type ShopForm = { normalise: (input: string) => string | null; hint: string }

export const shopForms: Partial<Record<Provider, ShopForm>> = {
  storefront: {
    normalise: normaliseShop,
    hint: 'enter the store’s myshopify.com domain, its handle, or the address of its admin; a custom domain cannot be connected',
  },
  woocommerce: {
    normalise: normaliseShopAddress,
    hint: 'enter the address of the shop, such as shop.example or example.com/store',
  },
}
