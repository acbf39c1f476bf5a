import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { settingsMessages } from './settings.messages.ts'
import { addressesQuery, changeSettings, type Setting, settingsQuery } from './settings.queries.ts'

/** Detected addresses of this server; one can be set as the public address. */
export function AddressSection({ settings }: { settings: readonly Setting[] }) {
  const t = useMessages(settingsMessages)
  const { data, isFetching, refetch } = useQuery(addressesQuery)
  const use = useAction({
    run: (address: string) => changeSettings({ variables: { PUBLIC_IP: address } }),
    invalidates: [settingsQuery.queryKey, addressesQuery.queryKey],
    done: (_settings, address) => t('addresses.used', { address })
  })
  const isChangeable = settings.some(({ name, isChangeable }) => name === 'PUBLIC_IP' && isChangeable)
  const suggested = data?.suggestedIp ?? null
  const service = data?.service
  const rows = [
    {
      name: t('addresses.interfaces'),
      value: data?.interfaces
        .map(({ address, isPublic }) => (isPublic ? address : t('addresses.private', { address })))
        .join(', ')
    },
    ...(service ? [{ name: t('addresses.service'), value: service.address ?? service.problem }] : []),
    { name: t('addresses.current'), value: data?.publicIp ?? t('notSet') }
  ]
  return (
    <Section
      title={t('addresses')}
      hint={t('addresses.hint')}
      actions={
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('addresses.detect')}
        </Button>
      }
    >
      <Facts rows={rows} />
      {isChangeable && suggested !== null && suggested !== data?.publicIp && (
        <Button loading={use.isPending} onClick={() => use.start(suggested)}>
          {t('addresses.use', { address: suggested })}
        </Button>
      )}
    </Section>
  )
}
