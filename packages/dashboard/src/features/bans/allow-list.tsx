import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { AllowNetwork } from '@panel/contract/bans'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { firewallQuery } from '../firewall/firewall.queries.ts'
import { banMessages } from './bans.messages.ts'
import { allow, type AllowedNetwork, allowListQuery, disallow } from './bans.queries.ts'

export function AllowList() {
  const t = useMessages(banMessages)
  const { data, error, refetch } = useQuery(allowListQuery)
  return (
    <Section title={t('allowList')} hint={t('allowList.hint')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={2} />}
      {data && data.networks.length > 0 && (
        <table className={`${card.table} ${card.cards}`}>
          <thead>
            <tr>
              <th scope="col">{t('network')}</th>
              <th scope="col">{t('note')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {data.networks.map((network) => (
              <Row key={network.id} network={network} />
            ))}
          </tbody>
        </table>
      )}
      <AllowForm />
    </Section>
  )
}

function Row({ network: row }: { network: AllowedNetwork }) {
  const t = useMessages(banMessages)
  const { network, note } = row
  const removing = useAction({
    run: disallow,
    invalidates: [allowListQuery.queryKey],
    done: () => t('disallowed', { network })
  })
  return (
    <tr>
      <td>
        <code>{network}</code>
      </td>
      <td>
        <Foreign>{note}</Foreign>
      </td>
      <td className={card.end}>
        <Button
          size="compact-sm"
          variant="default"
          loading={removing.isPending}
          aria-label={t('disallow.one', { network })}
          onClick={() => removing.start(row)}
        >
          {t('disallow')}
        </Button>
      </td>
    </tr>
  )
}

function AllowForm() {
  const t = useMessages(banMessages)
  const client = useQueryClient()
  const yourAddress = useQuery(firewallQuery).data?.yourAddress
  const { form, submit, isPending, failure } = useContractForm({
    schema: AllowNetwork,
    initialValues: { network: '', note: '' },
    send: allow,
    fieldOfCode: { CONFLICT: 'network' },
    onSaved: async ({ network }) => {
      form.reset()
      await client.invalidateQueries({ queryKey: ['firewall', 'bans'] })
      notifications.show({ message: t('allowed', { network }), role: 'status' })
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Group align="flex-start" gap="sm">
          <TextInput
            key={form.key('network')}
            label={t('network')}
            placeholder="203.0.113.0/24"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('network')}
          />
          <TextInput key={form.key('note')} label={t('note')} autoComplete="off" {...form.getInputProps('note')} />
        </Group>
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('allow')}
          </Button>
          {yourAddress && (
            <Button variant="default" onClick={() => form.setFieldValue('network', yourAddress)}>
              {t('allow.mine')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
