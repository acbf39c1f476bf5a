import { useMessages } from '../i18n/i18n.tsx'
import { Filter } from './filter.tsx'
import { uiMessages } from './ui.messages.ts'

type Order = 'created' | 'name' | 'deployed'

/** Sorts a list by the parameter `order`; the first one is the default. */
export function OrderFilter({ orders, selected }: { orders: readonly Order[]; selected: Order | undefined }) {
  const t = useMessages(uiMessages)
  return (
    <Filter
      label={t('order')}
      name="order"
      options={orders.map((value) => ({ value, label: t(`order.${value}`) }))}
      selected={selected ?? orders[0]!}
    />
  )
}
